import { useQuery } from '@tanstack/react-query'
import {
  type AttributeValues,
  checkAttributeValues,
  EditedAttributeValues,
} from '../../../contract/attributes.ts'
import type { EditableProduct } from '../../../contract/catalog.ts'
import type { Versioned } from '../../api.ts'
import { type ReportUnsaved, readBody, useDraft, useUnsavedPart } from '../../draft.ts'
import { toNumber } from '../../editor-form.tsx'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { attributesQuery, useSaveAttributeValues } from './queries.ts'

interface AttributesEditorProps {
  id: string
  loaded: Versioned<EditableProduct>
  report: ReportUnsaved
}

/** Edits the values of the attributes that the saved kind of part defines. */
export function AttributesEditor(props: AttributesEditorProps) {
  const { kind } = props.loaded.value
  const kinds = useQuery(attributesQuery)
  const defined = kinds.data?.find((each) => each.kind === kind)?.attributes
  return (
    <section aria-labelledby="attributes" className="mt-12 border-t border-line pt-8">
      <SectionHead id="attributes" title="Attributes" />
      {kinds.isPending && <FullSpinner />}
      {kinds.isError && !kinds.data && (
        <QueryError title="The attributes could not be loaded" query={kinds} />
      )}
      {kinds.data && !defined && (
        <p className="text-quiet">
          {kind ? `${kind} have no attributes.` : 'A product without a kind of part has no attributes.'}{' '}
          <a href="/dashboard/attributes" className="font-semibold text-signal underline">
            Kinds with attributes
          </a>
        </p>
      )}
      {defined && <Values {...props} defined={defined} />}
    </section>
  )
}

type Defined = Parameters<typeof checkAttributeValues>[0]

/** Returns the values of the defined attributes as texts, by name. */
const toTexts = (defined: Defined, values: AttributeValues): Record<string, string> =>
  Object.fromEntries(defined.map(({ name }) => [name, Object.hasOwn(values, name) ? `${values[name]}` : '']))

function Values({ id, loaded, report, defined }: AttributesEditorProps & { defined: Defined }) {
  const { mutateAsync } = useSaveAttributeValues(id)
  const { draft, base, change, isDirty, isRebased, errors, alert, isSaving, submit, formProps } = useDraft({
    // With the values of attributes that another kind defines: a new kind keeps what is typed.
    loaded: { value: loaded.value.attributes, version: loaded.etag },
    isSame: (one, other) => JSON.stringify(toTexts(defined, one)) === JSON.stringify(toTexts(defined, other)),
    read: (typed) => {
      const texts = toTexts(defined, typed)
      const values = defined.flatMap(({ name, type }) => {
        const text = texts[name]?.trim() ?? ''
        return text === '' ? [] : [[name, type === 'number' ? toNumber(text) : text] as const]
      })
      const read = readBody(EditedAttributeValues, { attributes: Object.fromEntries(values) })
      if (read.errors) return read
      const errors = checkAttributeValues(defined, read.body.attributes)
      return Object.keys(errors).length > 0 ? { errors } : read
    },
    save: (body, etag) => mutateAsync({ etag, body }),
    savedText: 'Attributes saved',
    // Another admin changed them: both are shown, and the next save replaces theirs.
    rebase: (typed) => typed,
  })
  useUnsavedPart(report, isDirty ? 'attributes' : '', submit)
  const texts = toTexts(defined, draft)
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-3">
        {defined.map(({ name, type, unit, choices = [] }) => {
          const field = {
            label: unit ? `${name}, ${unit}` : name,
            value: texts[name] ?? '',
            error: errors[`attributes.${name}`],
            onChange: ({ target }: { target: { value: string } }) =>
              change((all) => ({ ...all, [name]: target.value })),
          }
          if (type === 'number') {
            return <TextField key={name} inputMode="decimal" autoComplete="off" {...field} />
          }
          // A stored value that is no longer a choice is not shown on the page.
          const listed =
            field.value === '' || choices.includes(field.value) ? choices : [field.value, ...choices]
          return (
            <SelectField key={name} {...field}>
              <option value="">None</option>
              {listed.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </SelectField>
          )
        })}
      </div>
      {isRebased && (
        <Alert>Now: {describe(toTexts(defined, base)) || 'no attributes'}. Yours are above.</Alert>
      )}
      {alert && <Alert>{alert}</Alert>}
      <div>
        <BusyButton type="submit" busy={isSaving}>
          Save attributes
        </BusyButton>
      </div>
    </form>
  )
}

const describe = (texts: Record<string, string>) =>
  Object.entries(texts)
    .flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
    .join('; ')
