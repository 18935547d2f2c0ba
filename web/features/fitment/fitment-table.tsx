import { bikePath, toYears } from '../../../contract/bike-urls.ts'
import type { Fitment } from '../../../contract/fitments.ts'
import { listDetails } from '../fit/details.ts'

/** The bikes that a product fits. On a narrow screen the details follow in one cell. */
export function FitmentTable({ fitments }: { fitments: Fitment[] }) {
  return (
    <table className="w-full border-collapse text-left">
      <thead>
        <tr className="border-b-2 border-ink">
          <th scope="col" className="label py-3 pr-3">
            Bike
          </th>
          <th scope="col" className="label px-3 py-3">
            Years
          </th>
          <th scope="col" className="label py-3 pl-3">
            Details
          </th>
        </tr>
      </thead>
      <tbody>
        {fitments.map((fitment) => (
          <tr key={JSON.stringify(fitment)} className="border-b border-line align-top">
            <td className="py-3 pr-3 font-semibold wrap-anywhere">
              <a
                href={bikePath(fitment.make, fitment.model)}
                className="-my-2.5 inline-block py-2.5 underline"
              >
                {fitment.name}
              </a>
              {fitment.version && <span className="font-normal"> {fitment.version} only</span>}
            </td>
            <td className="px-3 py-3 wrap-anywhere tabular-nums">{toYears(fitment)}</td>
            <td className="py-3 pl-3 wrap-anywhere">{listDetails(fitment).join('. ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
