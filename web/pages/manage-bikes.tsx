import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Bike, type BikeList, type Make, type Model, NewBikes } from '../../contract/bikes.ts'
import { pluralize } from '../../contract/plurals.ts'
import { toOptionalWholeNumber } from '../../contract/typed-numbers.ts'
import { toYearRanges } from '../../contract/year-ranges.ts'
import { call } from '../api.ts'
import { ChangeFailure } from '../change-failure.tsx'
import { MakeForm, ModelForm, RemoveBikes } from '../features/bikes/correct-bikes.tsx'
import { FitKinds } from '../features/fitment/fit-kinds.tsx'
import { ExportButton } from '../features/imports/export-button.tsx'
import { QueryError } from '../query-error.tsx'
import { navigate } from '../router/navigation.ts'
import { Link, useLocation } from '../router/router.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { TextField } from '../ui/field.tsx'
import { orNothing, useCheckedForm } from '../ui/form.ts'
import { LeaveQuestion } from '../ui/leave-question.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Bikes' })

/** The bikes that the shop knows: makes, the models of a make, or the bikes of a model. The choice is in the URL. */
export default function ManageBikes() {
  const parameters = new URLSearchParams(useLocation().search)
  const query = {
    make: parameters.get('make') ?? undefined,
    model: (parameters.get('make') && parameters.get('model')) ?? undefined,
  }
  const list = useQuery({
    queryKey: ['bikes', query],
    queryFn: ({ signal }) => call('listBikes', { query, signal }),
    staleTime: 0,
  })
  return (
    <>
      <PageHead title="Bikes">
        <div className="flex gap-2">
          <ExportButton route="exportBikes">Export</ExportButton>
          <LinkButton variant="quiet" href="/dashboard/import-products?kind=bikes">
            Import
          </LinkButton>
        </div>
      </PageHead>
      <div className="flex flex-col gap-10">
        {list.data ? (
          <Bikes list={list.data} {...query} />
        ) : list.isError ? (
          <QueryError title="The bikes could not be loaded" query={list} />
        ) : (
          <FullSpinner />
        )}
        {(list.data || list.isError) && (
          <BikeForm key={`${query.make} ${query.model}`} list={list.data} {...query} />
        )}
        {!query.make && <FitKinds />}
        {list.data && (
          <Corrections key={`${query.make} ${query.model} corrections`} list={list.data} {...query} />
        )}
      </div>
    </>
  )
}

interface Choice {
  make?: string | undefined
  model?: string | undefined
}

const toUrl = (choice: Record<string, string>) => `/dashboard/bikes?${new URLSearchParams(choice)}`

function Bikes({ list: { makes, models, bikes }, make, model }: Choice & { list: BikeList }) {
  if (makes.length === 0) {
    return <EmptyState title="No bikes yet">Add a bike below, or import a bike file.</EmptyState>
  }
  return (
    <section>
      {make && (
        <nav aria-label="Chosen bikes" className="mb-4 flex flex-wrap gap-x-3 gap-y-2">
          <Link href="/dashboard/bikes" className={linkClass}>
            All makes
          </Link>
          <span aria-hidden="true">/</span>
          <Link href={toUrl({ make })} className={linkClass}>
            {makes.find((each) => each.make === make)?.name}
          </Link>
          {model && <span aria-hidden="true">/</span>}
          {model && <span>{models?.find((each) => each.model === model)?.name}</span>}
        </nav>
      )}
      {bikes ? (
        <DataTable caption="Bikes" columns={bikeColumns} rows={bikes} rowKey={({ id }) => String(id)} />
      ) : make && models ? (
        <DataTable caption="Models" columns={modelColumns(make)} rows={models} rowKey={(row) => row.model} />
      ) : (
        <DataTable caption="Makes" columns={makeColumns} rows={makes} rowKey={(row) => row.make} />
      )}
    </section>
  )
}

const linkClass = 'font-semibold text-signal underline'

const makeColumns: Column<Make>[] = [
  {
    head: 'Make',
    names: true,
    cell: ({ make, name }) => (
      <Link href={toUrl({ make })} className={linkClass}>
        {name}
      </Link>
    ),
  },
]

const modelColumns = (make: string): Column<Model>[] => [
  {
    head: 'Model',
    names: true,
    cell: ({ model, name }) => (
      <Link href={toUrl({ make, model })} className={linkClass}>
        {name}
      </Link>
    ),
  },
  { head: 'Years', cell: ({ years }) => toYearRanges(years) },
]

const bikeColumns: Column<Bike>[] = [
  { head: 'Bike', names: true, cell: ({ name }) => name },
  { head: 'Year', numeric: true, cell: ({ year }) => year },
  { head: 'Version', cell: ({ version }) => version || <span className="text-quiet">not stated</span> },
  {
    head: 'Engine',
    numeric: true,
    cell: ({ engineCc }) => (engineCc ? `${engineCc} cc` : <span className="text-quiet">–</span>),
  },
]

/** Corrects the chosen make or model. */
function Corrections({ list: { makes, models, aliases = [] }, make, model }: Choice & { list: BikeList }) {
  const client = useQueryClient()
  const open = async (left: { make?: string | undefined; model?: string | undefined }) => {
    const choice = { ...(left.make && { make: left.make }), ...(left.model && { model: left.model }) }
    // A list that the shop no longer has is not loaded again.
    await client.invalidateQueries({ queryKey: ['bikes'], refetchType: 'none' })
    if (left.make === make && left.model === model) {
      await client.refetchQueries({ queryKey: ['bikes', choice], type: 'active' })
    } else navigate(toUrl(choice))
  }
  const makeName = makes.find((each) => each.make === make)?.name
  const modelName = models?.find((each) => each.model === model)?.name
  if (!make || !makeName) return null
  if (!model) return <MakeForm make={make} name={makeName} onSaved={open} />
  if (!modelName) return null
  const slugs = { make, model }
  return (
    <>
      <ModelForm slugs={slugs} name={modelName} aliases={aliases} onSaved={open} />
      <RemoveBikes slugs={slugs} name={`${makeName} ${modelName}`} onRemoved={open} />
    </>
  )
}

/** Adds the bikes of one model. The page has the make and the model. */
function BikeForm({ list, make, model }: Choice & { list: BikeList | undefined }) {
  const client = useQueryClient()
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: NewBikes,
    resetOnSuccess: true,
    defaultValues: {
      make: list?.makes.find((each) => each.make === make)?.name ?? '',
      model: list?.models?.find((each) => each.model === model)?.name ?? '',
    },
    async send(values) {
      const added = await call('addBikes', { body: values })
      showToast('success', `Added ${pluralize(added.added, 'bike')}`)
      await client.invalidateQueries({ queryKey: ['bikes'] })
      navigate(toUrl({ make: added.make, model: added.model }))
    },
  })
  return (
    <section className="max-w-wide" aria-labelledby="add">
      <h2 id="add" className="mb-3 font-display text-2xl font-bold">
        Add bikes
      </h2>
      <form {...formProps} className="grid gap-4 md:grid-cols-2 md:gap-x-6">
        <LeaveQuestion isUnsaved={form.formState.isDirty && !isSubmitting} />
        <TextField label="Make" {...field('make')} />
        <TextField label="Model" {...field('model')} />
        <TextField
          label="First year"
          inputMode="numeric"
          {...field('yearFrom', { setValueAs: toOptionalWholeNumber })}
        />
        <TextField
          label="Last year"
          inputMode="numeric"
          hint="Blank: one year"
          {...field('yearTo', { setValueAs: toOptionalWholeNumber })}
        />
        <TextField label="Version" hint="For example: ABS (optional)" {...field('version', orNothing)} />
        <TextField
          label="Engine in cc"
          inputMode="numeric"
          hint="Optional"
          {...field('engineCc', { setValueAs: toOptionalWholeNumber })}
        />
        <TextField
          label="Other names"
          className="md:col-span-2"
          hint="For the search box, separated by semicolons: r6; yzfr6 (optional)"
          {...field('aliases', orNothing)}
        />
        <div className="flex flex-col items-start gap-4 md:col-span-2">
          {failure !== undefined && <ChangeFailure error={failure} check="Check the list above" />}
          <BusyButton type="submit" size="large" busy={isSubmitting}>
            Add bikes
          </BusyButton>
        </div>
      </form>
    </section>
  )
}
