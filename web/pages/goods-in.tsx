import { ScanPage } from '../features/goods/scan-page.tsx'

export const meta = () => ({ title: 'Goods In' })

/** Adds delivered pieces to the stock by scanning them. */
export default function GoodsIn() {
  return <ScanPage key="delivery" kind="delivery" />
}
