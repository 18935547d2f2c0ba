import { toYears } from '../../contract/bike-urls.ts'
import { BikeTrail } from '../features/bikes/bike-trail.tsx'
import { LinkList } from '../features/bikes/link-list.tsx'
import { MissingBike } from '../features/bikes/missing-bike.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import type { LoaderData, loadBikeMake } from '../loaders/bikes.ts'
import type { PageProps } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'

type Data = LoaderData<typeof loadBikeMake>

export const meta = (data: Data) =>
  data === null
    ? { title: 'Bike not found' }
    : {
        title: `${data.name} motorcycles`,
        description: `Parts for ${data.name} motorcycles, by model and year.`,
        canonical: data.path,
      }

export default function BikeMake({ data }: PageProps<Data>) {
  if (data === null) return <MissingBike />
  return (
    <div className="page-width flex flex-col gap-6 pb-12">
      <BikeTrail trail={data.trail} />
      <PageHead title={`${data.name} motorcycles`} note="Choose the model." />
      <LinkList
        links={data.models.map(({ model, name, years }) => ({
          path: `${data.path}/${encodeURIComponent(model)}`,
          name,
          note: toYears({ yearFrom: years.at(-1) ?? 0, yearTo: years[0] ?? 0 }),
        }))}
      />
      <DemoNotice />
    </div>
  )
}
