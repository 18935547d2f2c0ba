import { useQuery } from '@tanstack/react-query'
import { kindsQuery } from './queries.ts'

/** Suggests the existing kinds, so that one kind is not entered under two names. */
export function KindChoices() {
  const { data = [] } = useQuery(kindsQuery)
  return (
    <datalist id="kinds">
      {data.map((kind) => (
        <option key={kind}>{kind}</option>
      ))}
    </datalist>
  )
}
