import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { NewProduct } from '../../../contract/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Picture } from '../../ui/picture.tsx'

/**
 * The address of a product's picture, and the picture itself once somebody has typed the address to its end. Its
 * place is there from the start: what moved away under the pointer could not be pressed.
 */
export function PictureField({ form, className }: { form: UseFormReturn<NewProduct>; className: string }) {
  const [typing, setTyping] = useState(false)
  const address = NewProduct.shape.image.safeParse(useWatch({ control: form.control, name: 'image' }))
  const shown = address.success && !typing
  return (
    <div className={`flex flex-wrap items-start gap-4 ${className}`}>
      <TextField
        label="Image"
        type="url"
        hint="The address of a picture, with http or https"
        className="grow basis-64"
        error={form.formState.errors.image?.message}
        onFocus={() => setTyping(true)}
        {...form.register('image', { onBlur: () => setTyping(false) })}
      />
      <Picture
        src={shown ? address.data : ''}
        alt={shown ? 'As it will be shown' : ''}
        className="max-w-48 rounded-card bg-surface"
      />
    </div>
  )
}
