import { useSettings } from '../../router/router.tsx'

/** Shown on each page of the demo shop that says something about fitment. */
export function DemoNotice() {
  if (!useSettings().demo) return null
  return (
    <p className="max-w-text text-sm text-quiet">
      Demo data: the fitments in this shop are invented. Do not use them to choose real parts.
    </p>
  )
}
