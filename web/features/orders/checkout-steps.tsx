import { CheckIcon } from '../../ui/icons.tsx'

const steps = ['Delivery', 'Payment'] as const

/** The steps of a checkout, on its pages. Null: all are done. */
export const CheckoutSteps = ({ current }: { current: (typeof steps)[number] | null }) => (
  <ol aria-label="Steps" className="flex gap-6 font-display text-lg font-semibold">
    {steps.map((name, index) => {
      const isDone = current === null || index < steps.indexOf(current)
      return (
        <li
          key={name}
          aria-current={name === current ? 'step' : undefined}
          className="group flex items-center gap-2 text-quiet aria-[current=step]:text-ink"
        >
          <span
            className="grid size-7 place-items-center rounded-full border border-edge text-base
              group-aria-[current=step]:border-ink group-aria-[current=step]:bg-ink
              group-aria-[current=step]:text-white"
          >
            {isDone ? <CheckIcon className="size-4" /> : index + 1}
          </span>
          {name}
          {isDone && <span className="sr-only">, done</span>}
        </li>
      )
    })}
  </ol>
)
