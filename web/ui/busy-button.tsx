import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Slow } from './slow.tsx'

interface BusyButtonProps extends ComponentProps<typeof Button> {
  /** Appears below the button if its work takes more than 8 s. */
  slow?: string
}

/** A button that says below itself when its work takes long. Not for screens that have a sentence of their own. */
export const BusyButton = ({
  slow = 'This takes longer than usual. Keep this page open.',
  ...rest
}: BusyButtonProps) => (
  <>
    <Button {...rest} />
    {rest.busy && (
      // A write has no way to try again. In a row of buttons the sentence is below all of them, and it widens no column.
      <span aria-live="polite" className="contents">
        <Slow
          text={slow}
          onRetry={null}
          className="col-span-full w-full contain-inline-size text-sm [.flex-wrap>*>&]:order-last"
        />
      </span>
    )}
  </>
)
