import { drawCode128 } from './code128.ts'

/** A text of 16 characters as a bar code, 54 mm wide on paper: each module has 3 dots of a printer with 300 dpi. */
export function BarCode({ text }: { text: string }) {
  const { path, width } = drawCode128(text)
  return (
    <svg
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={`Bar code ${text}`}
      className="h-[14mm] w-[2.31in]"
    >
      <path d={path} />
    </svg>
  )
}
