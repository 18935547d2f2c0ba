/** A safety approval of gear. */
export interface Certificate {
  standard: string
  class?: string | undefined
  /** The part of the body that it covers. */
  zone?: string | undefined
  number?: string | undefined
  documentUrl?: string | undefined
}

interface Standard {
  /** How the standard calls its classes. */
  label: string
  classes?: readonly string[]
  /** The class may be missing, and is not part of the filter value. The SQL function `certificate_value` knows these. */
  isClassOptional?: true
  /** One of them is required. */
  zones?: readonly string[]
}

const helmet: Standard = { label: 'type', classes: ['P', 'J', 'P/J', 'NP'], isClassOptional: true }

/** The standards that the shop knows, in the order of the form. */
export const standards: Readonly<Record<string, Standard>> = {
  'ECE 22.06': helmet,
  'ECE 22.05': helmet,
  'FIM FRHPhe-01': { label: '' },
  'FIM FRHPhe-02': { label: '' },
  'EN 17092': { label: 'class', classes: ['AAA', 'AA', 'A', 'B', 'C'] },
  'EN 1621-1': {
    label: 'level',
    classes: ['1', '2'],
    zones: ['shoulder', 'elbow', 'forearm', 'hip', 'knee', 'leg'],
  },
  'EN 1621-2': { label: 'level', classes: ['1', '2'], zones: ['back', 'central back', 'lower back'] },
  'EN 13594': { label: 'level', classes: ['1', '1 KP', '2', '2 KP'] },
  // The digits on the label, such as 2-2-2-2.
  'EN 13634': { label: 'levels', isClassOptional: true },
}

/** Returns the class with its name in the standard, such as `level 2`; empty if the certificate has none. */
export const describeClass = ({ standard, class: level = '' }: Certificate): string =>
  level && `${standards[standard]?.label ?? ''} ${level}`.trim()

/** Returns a certificate as text, such as `EN 1621-1, level 2, elbow`. */
export const describeCertificate = (certificate: Certificate): string =>
  [certificate.standard, describeClass(certificate), certificate.zone].filter(Boolean).join(', ')
