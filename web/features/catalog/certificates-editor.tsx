import type { EditableProduct } from '../../../contract/catalog.ts'
import { type Certificate, describeCertificate, standards } from '../../../contract/certificates.ts'
import { EditedCertificates } from '../../../contract/gear.ts'
import type { Versioned } from '../../api.ts'
import { type ReportUnsaved, readBody, useDraft, useUnsavedPart } from '../../draft.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { focusNextIfLost } from '../../ui/lost-focus.ts'
import { SectionHead } from '../../ui/page-head.tsx'
import { useSaveCertificates } from './queries.ts'

interface CertificatesEditorProps {
  id: string
  loaded: Versioned<EditableProduct>
  report: ReportUnsaved
}

/** Edits the safety certificates of a product. The whole list is saved. */
export function CertificatesEditor({ id, loaded, report }: CertificatesEditorProps) {
  const { mutateAsync } = useSaveCertificates(id)
  const { draft, base, change, isDirty, isRebased, isSaving, submit, errors, alert, formProps } = useDraft({
    loaded: { value: loaded.value.certificates, version: loaded.etag },
    read: (certificates) => readBody(EditedCertificates, { certificates }),
    save: (body, etag) => mutateAsync({ etag, body }),
    savedText: 'Certificates saved',
    // Another admin changed them: both are shown, and the next save replaces theirs.
    rebase: (rows) => rows,
  })
  useUnsavedPart(report, isDirty ? 'certificates' : '', submit)
  return (
    <section aria-labelledby="certificates" className="mt-12 border-t border-line pt-8">
      <SectionHead id="certificates" title="Safety certificates" />
      <form {...formProps}>
        {draft.length === 0 && <p className="pb-4 text-quiet">This product has no certificates.</p>}
        <ul className="flex flex-col gap-4">
          {draft.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a certificate is known by its place
            <li key={index} className="rounded-card border border-line bg-surface p-4">
              <CertificateFields
                certificate={row}
                readError={(name) => errors[`certificates.${index}.${name}`]}
                onChange={(next) => change((all) => all.with(index, next))}
              />
              <Button
                variant="quiet"
                size="small"
                className="mt-3"
                aria-label={`Remove ${row.standard}`}
                onClick={() => {
                  focusNextIfLost()
                  change((all) => all.toSpliced(index, 1))
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
        {isRebased && (
          <Alert>
            Now: {base.map(describeCertificate).join('; ') || 'no certificates'}. Yours are above.
          </Alert>
        )}
        {alert && <Alert>{[alert, errors['certificates']].filter(Boolean).join(' ')}</Alert>}
        <div className="flex flex-wrap gap-3 pt-4">
          <Button variant="quiet" onClick={() => change((all) => [...all, { standard: 'ECE 22.06' }])}>
            Add certificate
          </Button>
          <BusyButton type="submit" busy={isSaving}>
            Save certificates
          </BusyButton>
        </div>
      </form>
    </section>
  )
}

interface CertificateFieldsProps {
  certificate: Certificate
  readError: (name: keyof Certificate) => string | undefined
  onChange: (certificate: Certificate) => void
}

function CertificateFields({ certificate, readError, onChange }: CertificateFieldsProps) {
  const { label = '', classes, isClassOptional, zones } = standards[certificate.standard] ?? {}
  const field = (name: keyof Certificate) => ({
    value: certificate[name] ?? '',
    error: readError(name),
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...certificate, [name]: event.target.value || undefined }),
  })
  const choices = (values: readonly string[]) => (
    <>
      <option value="">Choose</option>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </>
  )
  const className = label && label.charAt(0).toUpperCase() + label.slice(1)
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <SelectField
        label="Standard"
        value={certificate.standard}
        error={readError('standard')}
        // Another standard has other classes and zones.
        onChange={(event) =>
          onChange({ ...certificate, standard: event.target.value, class: undefined, zone: undefined })
        }
      >
        {Object.keys(standards).map((standard) => (
          <option key={standard}>{standard}</option>
        ))}
      </SelectField>
      {classes && (
        <SelectField label={className} hint={isClassOptional && 'Optional'} {...field('class')}>
          {choices(classes)}
        </SelectField>
      )}
      {!classes && isClassOptional && (
        <TextField label={className} hint="See the label. For example: 2-2-2-2" {...field('class')} />
      )}
      {zones && (
        <SelectField label="Zone" {...field('zone')}>
          {choices(zones)}
        </SelectField>
      )}
      <TextField label="Number" hint="Optional" {...field('number')} />
      <TextField label="Document" type="url" hint="URL, optional" {...field('documentUrl')} />
    </div>
  )
}
