import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Brand, EditedManufacturer } from '../../contract/gear.ts'
import { readMessage } from '../api.ts'
import { brandPageQuery, useSaveBrand } from '../features/catalog/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { CheckIcon, WarningIcon } from '../ui/icons.tsx'
import { LeaveQuestion } from '../ui/leave-question.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Brands' })

/** The brands with their manufacturers, those without data first. */
export default function Brands() {
  const params = useListParams()
  const { page, pageSize, q } = params.toQuery([])
  const list = useQuery(brandPageQuery({ page, pageSize, q }))
  const [edited, setEdited] = useState<Brand | null>(null)
  // A dialog that was closed while it saved closes none that was opened since.
  const close = () => setEdited((now) => (now === edited ? null : now))
  const action = (brand: Brand) => (
    <Button
      variant="quiet"
      size="small"
      aria-label={`Edit ${brand.name}`}
      // A copy: the same brand may be opened again while it is saved.
      onClick={() => setEdited({ ...brand })}
    >
      Edit
    </Button>
  )
  return (
    <>
      <PageHead
        title="Brands"
        note="Each product page shows the manufacturer of its brand. The EU requires it (GPSR, article 19)."
      >
        <SearchBox label="Search brands" value={params.q} onSearch={params.search} />
      </PageHead>
      <ListView
        caption="Brands"
        failure="The brands could not be loaded"
        list={list}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ name }) => name}
        params={params}
        searched="brand"
        empty={<EmptyState title="No brands yet">The brands of your products appear here.</EmptyState>}
      />
      {edited && <BrandDialog brand={edited} onClose={close} />}
    </>
  )
}

const columns: Column<Brand>[] = [
  { head: 'Brand', names: true, cell: ({ name }) => name },
  { head: 'Products', numeric: true, cell: ({ products }) => products },
  { head: 'Manufacturer', cell: ({ manufacturer }) => manufacturer.name ?? '–' },
  { head: 'Data', cell: ({ data }) => <DataChip data={data} /> },
]

function DataChip({ data }: Pick<Brand, 'data'>) {
  if (data === 'complete') {
    return (
      <Chip tone="good" icon={CheckIcon}>
        Complete
      </Chip>
    )
  }
  return (
    <Chip tone={data === 'missing' ? 'bad' : 'wait'} icon={WarningIcon}>
      {data === 'missing' ? 'No data' : 'Incomplete'}
    </Chip>
  )
}

function BrandDialog({ brand, onClose }: { brand: Brand; onClose: () => void }) {
  const save = useSaveBrand(brand.name)
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<EditedManufacturer, void>({
    schema: EditedManufacturer,
    defaultValues: { ...brand.manufacturer, revision: brand.revision },
    async send(manufacturer) {
      await save.mutateAsync(manufacturer)
      showToast('success', 'Brand saved')
      onClose()
    },
  })
  const isUnsaved = form.formState.isDirty && !isSubmitting
  return (
    <Dialog title={brand.name} onClose={onClose} wide isUnsaved={isUnsaved}>
      <form {...formProps} className="flex flex-col gap-6">
        <LeaveQuestion isUnsaved={isUnsaved} />
        <fieldset className="grid gap-4 md:grid-cols-2">
          <legend className="mb-2 font-display text-xl font-bold">Manufacturer</legend>
          <TextField label="Name" autoComplete="off" {...field('name')} />
          <TextField label="Email or website" autoComplete="off" {...field('contact')} />
          <TextArea label="Postal address" rows={3} className="md:col-span-2" {...field('address')} />
        </fieldset>
        <fieldset className="grid gap-4 md:grid-cols-2">
          <legend className="mb-2 font-display text-xl font-bold">EU responsible person</legend>
          <p className="text-quiet md:col-span-2">Only for manufacturers outside the EU.</p>
          <TextField label="Name" autoComplete="off" {...field('eu.name')} />
          <TextField label="Email or website" autoComplete="off" {...field('eu.contact')} />
          <TextArea label="Postal address" rows={3} className="md:col-span-2" {...field('eu.address')} />
        </fieldset>
        <TextArea label="Safety information" rows={3} hint="Optional" {...field('safetyText')} />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <div>
          <BusyButton type="submit" busy={isSubmitting}>
            Save
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}
