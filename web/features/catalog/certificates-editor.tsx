import { useState } from 'react'
import type { EditableProduct } from '../../../contract/catalog.ts'
import { type Certificate, describeCertificate, standards } from '../../../contract/certificates.ts'
import { EditedCertificates } from '../../../contract/gear.ts'
import { ApiError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type ReportUnsaved, readIssues, useUnsavedPart } from './list-editor.ts'
import { useSaveCertificates, type Versioned } from './queries.ts'

interface CertificatesEditorProps {
  id: string
  loaded: Versioned<EditableProduct>
  report: ReportUnsaved
}

const isSame = (one: Certificate[], other: Certificate[]) => JSON.stringify(one) === JSON.stringify(other)

/** Edits the safety certificates of a product. The whole list is saved. */
export function CertificatesEditor({ id, loaded, report }: CertificatesEditorProps) {
  const save = useSaveCertificates(id)
  const present = loaded.value.certificates
  const [base, setBase] = useState(present)
  const [rows, setRows] = useState(base)
  const [hasConflict, setConflict] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  if (!isSame(present, base)) {
    // Another admin changed them, or they were saved.
    if (isSame(rows, base) || isSame(rows, present)) setRows(present)
    else setConflict(true)
    setBase(present)
  }
  const change = (next: Certificate[]) => {
    // The saved list replaces this one.
    if (save.isPending) return
    setRows(next)
    setErrors({})
    save.reset()
  }
  const submit = async () => {
    const { data, error } = EditedCertificates.safeParse({ certificates: rows })
    setErrors(readIssues(error))
    if (!data) return false
    try {
      const { certificates: saved } = await save.mutateAsync({ etag: loaded.etag, body: data })
      setConflict(false)
      setRows(saved)
      setBase(saved)
      showToast('success', 'Certificates saved')
      return true
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fields)
      return false
    }
  }
  useUnsavedPart(report, isSame(rows, base) ? '' : 'certificates', submit)
  return (
    <section aria-labelledby="certificates" className="mt-12 border-t border-line pt-8">
      <SectionHead id="certificates" title="Safety certificates" />
      {rows.length === 0 && <p className="pb-4 text-quiet">This product has no certificates.</p>}
      <ul className="flex flex-col gap-4">
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a certificate is known by its place
          <li key={index} className="rounded-card border border-line bg-surface p-4">
            <CertificateFields
              certificate={row}
              readError={(name) => errors[`certificates.${index}.${name}`]}
              onChange={(next) => change(rows.with(index, next))}
            />
            <Button
              variant="quiet"
              size="small"
              className="mt-3"
              aria-label={`Remove ${row.standard}`}
              onClick={() => change(rows.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {hasConflict && !isSame(rows, base) && (
        <Alert>Now: {base.map(describeCertificate).join('; ') || 'no certificates'}. Yours are above.</Alert>
      )}
      {save.isError && <Alert>{readMessage(save.error)}</Alert>}
      <div className="flex flex-wrap gap-3 pt-4">
        <Button variant="quiet" onClick={() => change([...rows, { standard: 'ECE 22.06' }])}>
          Add certificate
        </Button>
        <Button busy={save.isPending} onClick={() => void submit()}>
          Save certificates
        </Button>
      </div>
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
        <TextField label={className} hint="As on the label, such as 2-2-2-2" {...field('class')} />
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
