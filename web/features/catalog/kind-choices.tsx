import { useQuery } from '@tanstack/react-query'
import { kindsQuery } from './queries.ts'

/** The kinds of part that the shop has: offered where one is typed, so that none is called by two names. */
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
