import { BikeTrail } from '../features/bikes/bike-trail.tsx'
import { LinkList } from '../features/bikes/link-list.tsx'
import { MissingBike } from '../features/bikes/missing-bike.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import type { LoaderData, loadBikeModel } from '../loaders/bikes.ts'
import type { PageProps } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'

type Data = LoaderData<typeof loadBikeModel>

export const meta = (data: Data) =>
  data === null
    ? { title: 'Bike not found' }
    : {
        title: `${data.name}: choose the year`,
        description: `Parts for the ${data.name}, by year.`,
        canonical: data.path,
      }

export default function BikeModel({ data }: PageProps<Data>) {
  if (data === null) return <MissingBike />
  return (
    <div className="page-width flex flex-col gap-6 pb-12">
      <BikeTrail trail={data.trail} />
      <PageHead title={`${data.name}: choose the year`} />
      <LinkList
        narrow
        links={data.years.map((year) => ({ path: `${data.path}/${year}`, name: `${year}` }))}
      />
      <DemoNotice />
    </div>
  )
}
