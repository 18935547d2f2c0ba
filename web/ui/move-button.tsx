import { Button } from './button.tsx'

interface MoveButtonProps {
  label: string
  by?: -1 | 1
  /** Whether the row is the first or last one, so that it cannot move further. */
  isAtEnd: boolean
  onMove: (by: -1 | 1) => void
}

/** Moves a row of a list by one place: up, or down with `by` 1. */
export const MoveButton = ({ label, by = -1, isAtEnd, onMove }: MoveButtonProps) => (
  <Button variant="quiet" size="small" aria-label={label} aria-disabled={isAtEnd} onClick={() => onMove(by)}>
    {by < 0 ? '↑' : '↓'}
  </Button>
)
