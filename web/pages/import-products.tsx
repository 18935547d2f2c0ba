import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { messageOf } from '../api.ts'
import { FileUpload } from '../features/imports/file-upload.tsx'
import { ImportGuide } from '../features/imports/import-guide.tsx'
import { ImportReport } from '../features/imports/import-report.tsx'
import { importQuery } from '../features/imports/queries.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('Import Products')

const here = '/dashboard/import-products'

/** A file of products on its way into the shop. Its address names the import: one may leave, and come back. */
export default function ImportProducts() {
  const [address, setAddress] = useSearchParams()
  const id = address.get('import')
  return (
    <>
      <PageHead title="Import Products">
        <Link to="/dashboard/manage-products" className="font-semibold text-signal underline">
          Manage Products
        </Link>
      </PageHead>
      {id ? (
        <OneImport key={id} id={id} />
      ) : (
        <div className="flex flex-col gap-10">
          <FileUpload onUploaded={(uploaded) => setAddress({ import: uploaded })} />
          <ImportGuide />
        </div>
      )}
    </>
  )
}

function OneImport({ id }: { id: string }) {
  const found = useQuery(importQuery(id))
  if (found.data) {
    return (
      <ImportReport
        found={found.data}
        another={
          <LinkButton to={here} look="quiet">
            Another file
          </LinkButton>
        }
      />
    )
  }
  if (!found.isError) return <FullSpinner />
  return (
    <ErrorState
      title="This import could not be loaded"
      message={messageOf(found.error)}
      onRetry={() => void found.refetch()}
    />
  )
}
