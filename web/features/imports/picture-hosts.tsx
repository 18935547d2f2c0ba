import type { ProductImport } from '../../../contract/imports.ts'
import { CheckboxField } from '../../ui/field.tsx'
import { formatCount, hasPreview } from './import-lists.tsx'

interface PictureHostsProps {
  productImport: ProductImport
  chosen: string[]
  onChange: (hosts: string[]) => void
}

/** The hosts of pictures in a checked file. The pictures on the chosen ones are copied after the import. */
export function PictureHosts({ productImport, chosen, onChange }: PictureHostsProps) {
  const { pictureHosts, copiedHosts, runAt } = productImport
  if (!hasPreview(productImport) || pictureHosts.length === 0) return null
  if (runAt) {
    if (copiedHosts.length === 0) return null
    return <p>After the import the shop copies the pictures on {copiedHosts.join(', ')}.</p>
  }
  return (
    <fieldset className="w-full rounded-card border border-line bg-surface p-4">
      <legend className="px-1 font-semibold">Pictures at other addresses</legend>
      <p className="mb-2">
        Choose the hosts whose pictures you may use. The shop copies these pictures after the import. The
        others stay where they are.
      </p>
      {pictureHosts.map(({ host, pictures }) => (
        <CheckboxField
          key={host}
          label={`${host}: ${formatCount(pictures)} ${pictures === 1 ? 'picture' : 'pictures'}`}
          className="wrap-anywhere"
          checked={chosen.includes(host)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, host] : chosen.filter((each) => each !== host))
          }
        />
      ))}
    </fieldset>
  )
}
