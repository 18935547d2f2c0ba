import { useEffect, useState } from 'react'
import { mapHost } from '../../../contract/map.ts'
import staticMap from '../../../drawings/map.svg'

/** Where the shop is, in degrees. */
const place = { latitude: 43.0325, longitude: -87.9185 }
const { latitude, longitude } = place
const corners = [longitude - 0.008, latitude - 0.004, longitude + 0.008, latitude + 0.004]
const frame = `${mapHost}/export/embed.html?${new URLSearchParams({
  bbox: corners.map((degrees) => degrees.toFixed(4)).join(','),
  layer: 'mapnik',
  marker: `${latitude},${longitude}`,
})}`
const largeMap = `${mapHost}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`

/**
 * Where the shop is. Our own drawing stands there from the first moment on, and stays where OpenStreetMap can't be
 * reached; else its map is laid over the drawing once it has come.
 */
export function ShopMap({ className = '' }: { className?: string }) {
  const reachable = useReachable(frame)
  const [loaded, setLoaded] = useState(false)
  return (
    <div className={`relative overflow-hidden bg-shade ${className}`}>
      <img
        src={staticMap}
        alt={loaded ? '' : 'Map: the shop is on the corner of two streets, one block from the river'}
        width="900"
        height="600"
        className="size-full object-cover"
      />
      {reachable && (
        <iframe
          src={frame}
          title="Map of where the shop is"
          loading="lazy"
          referrerPolicy="strict-origin-when-cross-origin"
          // oxlint-disable-next-line react/iframe-missing-sandbox -- its own origin is not ours: it cannot reach out
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          onLoad={() => setLoaded(true)}
          className={`absolute inset-0 size-full border-0 transition-opacity ${loaded ? '' : 'invisible opacity-0'}`}
        />
      )}
      <a
        href={largeMap}
        target="_blank"
        rel="noreferrer"
        className="absolute bottom-0 left-0 rounded-tr-control bg-surface px-3 py-2 text-sm font-semibold text-signal
          underline focus-visible:-outline-offset-3"
      >
        Open the map in OpenStreetMap
      </a>
    </div>
  )
}

/**
 * Whether another site answers at all. A frame does not tell: where its page can't be loaded it shows the browser's
 * error page, and fires `load` for that as well. A call tells the two apart, though not what the answer is.
 */
function useReachable(url: string): boolean {
  const [reachable, setReachable] = useState(false)
  useEffect(() => {
    const given = new AbortController()
    fetch(url, { method: 'HEAD', mode: 'no-cors', signal: given.signal }).then(
      () => setReachable(true),
      () => {
        // Then the drawing stays: it is there already.
      },
    )
    return () => given.abort()
  }, [url])
  return reachable
}
