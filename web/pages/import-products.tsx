import { useQuery } from '@tanstack/react-query'
import { readMessage } from '../api.ts'
import { FileUpload } from '../features/imports/file-upload.tsx'
import { ImportGuide } from '../features/imports/import-guide.tsx'
import { ImportReport } from '../features/imports/import-report.tsx'
import { importQuery } from '../features/imports/queries.ts'
import { navigate } from '../router/navigation.ts'
import { pageMeta } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('Import Products')

const here = '/dashboard/import-products'

/** Product import. The id is in the URL, so that the user can leave the page and return. */
export default function ImportProducts() {
  const id = new URLSearchParams(useLocation().search).get('import')
  return (
    <>
      <PageHead title="Import Products">
        <a href="/dashboard/manage-products" className="font-semibold text-signal underline">
          Manage Products
        </a>
      </PageHead>
      {id ? (
        <OneImport key={id} id={id} />
      ) : (
        <div className="flex flex-col gap-10">
          <FileUpload onUploaded={(uploaded) => navigate(`?${new URLSearchParams({ import: uploaded })}`)} />
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
        productImport={found.data}
        another={
          <LinkButton href={here} variant="quiet">
            Import another file
          </LinkButton>
        }
      />
    )
  }
  if (!found.isError) return <FullSpinner />
  return (
    <ErrorState
      title="This import could not be loaded"
      message={readMessage(found.error)}
      onRetry={() => void found.refetch()}
    />
  )
}
