import type { Bike } from '../../../contract/bikes.ts'
import { actionClass, loadParts } from '../fit/on-demand.tsx'
import type { StoredBike } from './stored-garage.ts'

interface AskVersionProps {
  /** The bike whose version is not stated. */
  bike: Bike
  /** Called with the chosen bike, which is then the current one. */
  onChosen?: (bike: StoredBike) => void
}

/** Button that asks for the version of a bike in the dialog. */
export function AskVersion({ bike: { make, model, year }, onChosen }: AskVersionProps) {
  const ask = () =>
    loadParts()
      .then(({ openPicker }) => openPicker({ make, model, year }, onChosen))
      .catch(() => location.assign('/bikes'))
  return (
    <button type="button" className={actionClass} onClick={() => void ask()}>
      Which version do you have?
    </button>
  )
}
