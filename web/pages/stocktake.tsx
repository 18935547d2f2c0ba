import { ScanPage } from '../features/goods/scan-page.tsx'

export const meta = () => ({ title: 'Stocktake' })

/** Corrects the stock by scanning the pieces of a shelf. */
export default function Stocktake() {
  return <ScanPage key="count" kind="count" />
}
