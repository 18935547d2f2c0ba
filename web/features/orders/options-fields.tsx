import type { UseFormRegister } from 'react-hook-form'
import { colours, sizes } from '../../../contract/orders.ts'
import type { PurchaseValues } from './purchase-values.ts'
import { RadioGroup } from './radio-group.tsx'

const swatches: Record<string, string> = {
  Black: 'bg-ink',
  White: 'bg-white',
  Red: 'bg-[#c8261b]',
  Blue: 'bg-[#1d5fa8]',
}

/** Radio groups for size and colour. */
export function OptionsFields({ register }: { register: UseFormRegister<PurchaseValues> }) {
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup legend="Size" options={sizes} face={(size) => size} {...register('size')} />
      <RadioGroup
        legend="Colour"
        options={colours}
        face={(colour) => (
          <>
            <span className={`size-5 rounded-full border border-edge ${swatches[colour]}`} />
            {colour}
          </>
        )}
        {...register('colour')}
      />
    </div>
  )
}
