const steps = ['File', 'Columns', 'Check', 'Done'] as const
type ImportStep = (typeof steps)[number]

/** Where an admin is in an import. */
export const ImportSteps = ({ current }: { current: ImportStep }) => (
  <ol aria-label="Steps" className="mb-6 flex flex-wrap gap-x-2 gap-y-1 text-sm text-quiet">
    {steps.map((step, place) => (
      <li
        key={step}
        aria-current={step === current ? 'step' : undefined}
        className={step === current ? 'font-semibold text-ink' : ''}
      >
        {step}
        {place < steps.length - 1 && <span aria-hidden="true"> →</span>}
      </li>
    ))}
  </ol>
)
