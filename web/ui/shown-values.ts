import { useEffect, useRef } from 'react'

/**
 * Returns the `ref` of a form whose fields start with `values`, by their names. When these change, for example after back,
 * the fields show them, except the one that has the focus: a new field would lose it.
 */
export function useShownValues(values: Record<string, string>) {
  const form = useRef<HTMLFormElement>(null)
  const json = JSON.stringify(values)
  useEffect(() => {
    for (const [name, value] of Object.entries(JSON.parse(json) as typeof values)) {
      const field = form.current?.elements.namedItem(name)
      const hasValue = field instanceof HTMLInputElement || field instanceof HTMLSelectElement
      if (hasValue && field !== document.activeElement) field.value = value
    }
  }, [json])
  return form
}
