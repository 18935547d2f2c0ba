const cards = [
  { number: '4242 4242 4242 4242', outcome: 'is accepted' },
  { number: '4000 0000 0000 0002', outcome: 'is declined' },
  { number: '4000 0000 0000 9995', outcome: 'has insufficient funds' },
  { number: '4000 0000 0000 0069', outcome: 'has expired' },
  { number: '4000 0000 0000 0127', outcome: 'has a wrong CVC' },
  { number: '4000 0027 6000 3184', outcome: 'asks for 3-D Secure' },
  { number: '4000 0000 0000 2222', outcome: 'is processing for two minutes, then accepted' },
  { number: '4000 0000 0000 3337', outcome: 'is processing for two minutes, then declined' },
]

/** Test mode notice with the test cards and their outcomes. */
export function TestMode() {
  return (
    <aside aria-label="Test mode" className="rounded-card bg-wait-wash p-5 text-sm">
      <p>
        <strong className="label mr-2 rounded-control bg-wait px-2 py-1 text-white">TEST MODE</strong>
        No real charges. Use any future date and any CVC.
      </p>
      <dl className="mt-4 grid gap-x-6 gap-y-1.5 xs:grid-cols-[auto_1fr]">
        {cards.map(({ number, outcome }) => (
          <div key={number} className="contents">
            <dt className="font-semibold tabular-nums">{number}</dt>
            <dd className="text-quiet max-xs:mb-2">{outcome}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
