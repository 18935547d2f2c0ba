import { useRef, useState } from 'react'

/** Handles scans one after another: they come faster than responses, and each one reads the newest state. */
export function useScanQueue(handle: (code: string) => Promise<void>) {
  const queue = useRef(Promise.resolve())
  const [waiting, setWaiting] = useState(0)
  return {
    isBusy: waiting > 0,
    scan(code: string) {
      setWaiting((count) => count + 1)
      queue.current = queue.current.then(() => handle(code)).finally(() => setWaiting((count) => count - 1))
    },
    /** Resolves when the scans up to now are handled. */
    settled: () => queue.current,
  }
}
