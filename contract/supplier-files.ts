import * as z from 'zod/mini'
import { line } from './fields.ts'
import { importKinds, importModes, supplierName } from './imports.ts'

/** `auto`: by the bytes of the file. A byte order mark of UTF-16 always counts. */
const fileEncodings = ['auto', 'utf-8', 'windows-1252', 'windows-1250'] as const
export type FileEncoding = (typeof fileEncodings)[number]

const columnName = line(200)
/**
 * The column of the shop for each column of the file, in lower case. Null: it is not imported. A repeated name has a number,
 * as in the preview: `preis`, `preis (2)`.
 */
const columns = z
  .record(columnName, z.nullable(line(100)))
  .check(z.refine((names) => Object.keys(names).length <= 200, 'At most 200 columns'))
export type ColumnMapping = z.infer<typeof columns>

/** How the files of a supplier are read. */
export const EditedSupplierFile = z.object({
  columns,
  encoding: z.enum(fileEncodings),
  mode: z.enum(importModes),
})
export type EditedSupplierFile = z.infer<typeof EditedSupplierFile>

export const SupplierFile = z.object({ kind: z.enum(importKinds), ...EditedSupplierFile.shape })
export type SupplierFile = z.infer<typeof SupplierFile>

export const SupplierFileId = z.object({ name: supplierName, kind: z.enum(importKinds) })

export const Supplier = z.object({ name: z.string(), files: z.array(SupplierFile) })
export type Supplier = z.infer<typeof Supplier>

export const PreviewQuery = z.object({
  /** Default: `products`. */
  kind: z.optional(z.enum(importKinds)),
  mode: z.optional(z.enum(importModes)),
  supplier: z.optional(supplierName),
  /** Default: the stored one of the supplier, or `auto`. */
  encoding: z.optional(z.enum(fileEncodings)),
})

/** `from`: the stored column, one with the same name, or a guess that must be confirmed. Absent: the column is unknown. */
const PreviewColumn = z.object({
  theirs: z.string(),
  /** Null: it is not imported. */
  ours: z.nullable(z.string()),
  from: z.optional(z.enum(['saved', 'name', 'guess'])),
})
export type PreviewColumn = z.infer<typeof PreviewColumn>

/** The start of a file. */
export const FilePreview = z.object({
  /** The detected or chosen encoding, or `utf-16`. */
  encoding: z.enum([...fileEncodings, 'utf-16']),
  chosenEncoding: z.enum(fileEncodings),
  /** `,`, `;` or a tab. */
  separator: z.string(),
  decimals: z.enum(['point', 'comma']),
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  columns: z.array(PreviewColumn),
  /** The columns of the shop that such a file can have. */
  known: z.array(z.string()),
  /** Why the file would be refused with these columns. */
  problems: z.array(z.string()),
})
export type FilePreview = z.infer<typeof FilePreview>
