import type { Bike } from '../../../contract/bikes.ts'
import { openPicker } from './bar.tsx'
import type { StoredBike } from './stored-garage.ts'

interface AskVersionProps {
  /** The bike whose version is not stated. */
  bike: Bike
  /** Called with the chosen bike, which is then the current one. */
  onChosen?: (bike: StoredBike) => void
}

/** Button that asks for the version of a bike in the dialog. */
export const AskVersion = ({ bike: { make, model, year }, onChosen }: AskVersionProps) => (
  <button
    type="button"
    className="inline-flex min-h-11 items-center text-left font-semibold text-signal underline pointer-fine:min-h-9"
    onClick={() => openPicker({ make, model, year }, onChosen)}
  >
    Which version do you have?
  </button>
)
