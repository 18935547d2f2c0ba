import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '../../contract/dates.ts'
import { documentPath, type ListedDocument } from '../../contract/documents.ts'
import { ContentTabs } from '../features/content/content-tabs.tsx'
import { describeStatus, kindNames, legalNames, statusLooks } from '../features/content/labels.ts'
import { documentPageQuery } from '../features/content/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import type { Column } from '../ui/data-table.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Pages' })

/** The pages or the posts of the shop. */
export default function Documents() {
  const params = useListParams()
  const kind = params.filter('kind') === 'post' ? 'post' : 'page'
  const { one, many } = kindNames[kind]
  const { page, pageSize, q } = params.toQuery([])
  const list = useQuery(documentPageQuery({ page, pageSize, q, kind }))
  const add = <LinkButton href={`/dashboard/edit-page/new?kind=${kind}`}>Add {one}</LinkButton>
  return (
    <>
      <PageHead title={many}>
        <div className="flex flex-wrap items-end gap-3">
          <SearchBox label={`Search ${many.toLowerCase()}`} value={params.q} onSearch={params.search} />
          {add}
        </div>
      </PageHead>
      <ContentTabs shown={many} />
      <ListView
        key={kind}
        caption={many}
        failure={`The ${many.toLowerCase()} could not be loaded`}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        params={params}
        searched={one}
        empty={
          <EmptyState title={`No ${many.toLowerCase()} yet`} action={add}>
            {kind === 'page'
              ? 'Write your imprint, terms, privacy, withdrawal and shipping pages. The footer links them. Legal templates are not included. Use a text that a lawyer has checked.'
              : 'Your first post replaces the placeholder posts of Blogs.'}
          </EmptyState>
        }
      />
    </>
  )
}

const columns: Column<ListedDocument>[] = [
  {
    head: 'Title',
    names: true,
    cell: ({ id, title, legalKind }) => (
      <>
        <a href={`/dashboard/edit-page/${id}`} className="text-signal underline">
          {title || 'Untitled'}
        </a>
        {legalKind && <span className="block text-sm font-normal text-quiet">{legalNames[legalKind]}</span>}
      </>
    ),
  },
  {
    head: 'Address',
    cell: (document) => <span className="text-sm wrap-anywhere">{documentPath(document)}</span>,
  },
  {
    head: 'Status',
    cell: (document) => (
      <Chip {...statusLooks[document.status]} wraps>
        {describeStatus(document)}
      </Chip>
    ),
  },
  {
    head: 'Saved',
    cell: ({ savedAt }) => <span className="text-sm tabular-nums">{formatMoment(savedAt)}</span>,
  },
]
