import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  EditedDocument,
  EditedRedirect,
  NewDocument,
  StoredDocument,
} from '../../../contract/documents.ts'
import { call, callForVersion, type Versioned } from '../../api.ts'
import { useListChange } from '../../list-change.ts'
import { pageQuery } from '../../page-query.ts'

const queryKey = ['content'] as const

export const documentPageQuery = pageQuery('listDocuments', [...queryKey, 'documents'])

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKey, 'document', id],
    queryFn: ({ signal }) => callForVersion('getDocument', { params: { id }, signal }),
    staleTime: 0,
  })

/** The HTML of a text. It is not kept, because each pause of typing makes a new text. */
export const previewQuery = (body: string) =>
  queryOptions({
    queryKey: [...queryKey, 'preview', body],
    queryFn: ({ signal }) => call('renderMarkdown', { body: { body }, signal }),
    enabled: body.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

/**
 * Changes a document, and remembers what the server returns. After an error the document is loaded again: a lost response may
 * have been a success.
 */
function useDocumentChange<Input>(change: (input: Input) => Promise<Versioned<StoredDocument>>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (saved) => {
      const { queryKey: key } = documentQuery(saved.value.id)
      // The response to a read that was sent before the change would replace it.
      await client.cancelQueries({ queryKey: key })
      client.setQueryData(key, saved)
      return client.invalidateQueries({ queryKey: [...queryKey, 'documents'] })
    },
    onError: () => void client.invalidateQueries({ queryKey: [...queryKey, 'document'] }),
  })
}

export const useAddDocument = () =>
  useDocumentChange((body: NewDocument) => callForVersion('addDocument', { body }))

export const useSaveDocument = () =>
  useDocumentChange(({ id, etag, body }: { id: string; etag: string; body: EditedDocument }) =>
    callForVersion('saveDocument', { params: { id }, headers: { 'if-match': etag }, body }),
  )

/** `at` in ISO 8601; without it: now. */
export const usePublish = () =>
  useDocumentChange(({ id, etag, at }: { id: string; etag: string; at?: string | undefined }) =>
    callForVersion('publishDocument', { params: { id }, headers: { 'if-match': etag }, body: { at } }),
  )

export const useUnschedule = () =>
  useDocumentChange((id: string) => callForVersion('unscheduleDocument', { params: { id } }))

export const useDiscardDraft = () =>
  useDocumentChange(({ id, etag }: { id: string; etag: string }) =>
    callForVersion('discardDraft', { params: { id }, headers: { 'if-match': etag } }),
  )

export const useArchive = () =>
  useDocumentChange((id: string) => callForVersion('archiveDocument', { params: { id } }))

const redirectsKey = [...queryKey, 'redirects'] as const

export const redirectPageQuery = pageQuery('listRedirects', redirectsKey)

export const useSaveRedirect = () =>
  useListChange(redirectsKey, (body: EditedRedirect) => call('saveRedirect', { body }))

export const useDeleteRedirect = () =>
  useListChange(redirectsKey, (path: string) => call('deleteRedirect', { query: { path } }))
