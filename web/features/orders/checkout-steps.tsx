import { CheckIcon } from '../../ui/icons.tsx'

const steps = ['Delivery', 'Payment']

/** The steps of a checkout, on its pages. `current`: an index; all before it are done. */
export const CheckoutSteps = ({ current }: { current: 0 | 1 | 2 }) => (
  <ol aria-label="Steps" className="flex flex-wrap gap-x-6 gap-y-2 font-display text-lg font-semibold">
    {steps.map((name, index) => (
      <li
        key={name}
        aria-current={index === current ? 'step' : undefined}
        className="flex items-center gap-2 text-quiet aria-[current]:text-ink"
      >
        <span className="grid size-7 place-items-center rounded-full border-2 text-base">
          {index < current ? <CheckIcon className="size-4" /> : index + 1}
        </span>
        {name}
      </li>
    ))}
  </ol>
)
