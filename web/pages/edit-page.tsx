import { useQuery } from '@tanstack/react-query'
import { legalKinds } from '../../contract/documents.ts'
import { ApiError } from '../api.ts'
import { DocumentEditor } from '../features/content/document-editor.tsx'
import { describeStatus, kindNames, statusLooks } from '../features/content/labels.ts'
import { documentQuery } from '../features/content/queries.ts'
import { QueryError } from '../query-error.tsx'
import type { PageProps } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Edit Page' })

export default function EditPage({ params: { id } }: PageProps<null, 'id'>) {
  return id === 'new' ? <NewDocument /> : <Stored key={id} id={id} />
}

function NewDocument() {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const kind = query.get('kind') === 'post' ? 'post' : 'page'
  const legalKind = legalKinds.find((each) => each === query.get('legal'))
  return (
    <>
      <PageHead title={kind === 'post' ? 'Add Post' : 'Add Page'} />
      <DocumentEditor key={kind} kind={kind} legalKind={legalKind} stored={undefined} />
    </>
  )
}

function Stored({ id }: { id: string }) {
  const query = useQuery(documentQuery(id))
  if (!query.data) {
    if (!query.isError) return <FullSpinner />
    if (query.error instanceof ApiError && query.error.status === 404) {
      return (
        <div className="py-10">
          <EmptyState
            wholePage
            title="Page not found"
            action={<LinkButton href="/dashboard/pages">Pages</LinkButton>}
          >
            Check the address.
          </EmptyState>
        </div>
      )
    }
    return <QueryError wholePage title="The page could not be loaded" query={query} />
  }
  const { kind, status } = query.data.value
  const { many, list } = kindNames[kind]
  return (
    <>
      <PageHead title={kind === 'post' ? 'Edit Post' : 'Edit Page'}>
        <div className="flex flex-wrap items-center gap-3">
          <Chip {...statusLooks[status]} wraps>
            {describeStatus(query.data.value)}
          </Chip>
          <LinkButton size="small" variant="quiet" href={list}>
            All {many.toLowerCase()}
          </LinkButton>
        </div>
      </PageHead>
      <DocumentEditor kind={kind} stored={query.data} />
    </>
  )
}
