import { bikePath } from '../../contract/bike-urls.ts'
import { LinkList } from '../features/bikes/link-list.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import type { LoaderData, loadBikes } from '../loaders/bikes.ts'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

type Data = LoaderData<typeof loadBikes>

export const meta = ({ makes }: Data) => ({
  title: 'Find parts for your motorcycle',
  description: 'Choose your make, model and year to see the parts that fit.',
  canonical: makes.length > 0 ? bikePath() : undefined,
})

export default function Bikes({ data: { makes } }: PageProps<Data>) {
  return (
    <div className="page-width flex flex-col gap-6 pb-12">
      <PageHead title="Find parts for your motorcycle" note="Choose the make." />
      {makes.length > 0 ? (
        <LinkList links={makes.map(({ make, name }) => ({ path: bikePath(make), name }))} />
      ) : (
        <EmptyState
          title="There are no bikes yet"
          action={<LinkButton href="/products">Browse the products</LinkButton>}
        >
          Compare the part number or the dimensions before you order.
        </EmptyState>
      )}
      <DemoNotice />
    </div>
  )
}
