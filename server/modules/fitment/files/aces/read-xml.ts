import { SaxesParser } from 'saxes'
import * as z from 'zod/mini'
import { line, requiredLine } from '../../../../../contract/fields.ts'
import { EditedFitment } from '../../../../../contract/fitments.ts'
import {
  type ImportError,
  type LeftOutBrand,
  maxFileRows,
  maxListedBrands,
} from '../../../../../contract/imports.ts'
import { toWholeNumber } from '../../../../../contract/typed-numbers.ts'
import { type Batch, FileRefused, firstErrorPerColumn, toExcerpt } from '../../../imports/read-file.ts'

/** Elements of an application that have no effect on the bikes that it covers. */
const ignoredElements = [
  'PartType',
  'MfrLabel',
  'DisplayOrder',
  'AssetName',
  'AssetItemOrder',
  'AssetItemRef',
]
/** Other ways to name a vehicle. */
const otherVehicles = ['Years', 'Make', 'Model', 'Mfr', 'EquipmentModel', 'EquipmentBase', 'VehicleType']
const onlyBaseVehicles = 'Only applications with a base vehicle are supported'
const otherLimit =
  'The shop cannot store this limit of the fit, and the part would fit more bikes without it. Remove the application'

const notACode = 'The attribute “id” is not a number'
const code = z.int(notACode).check(z.gte(1, notACode), z.lte(2_147_483_647, notACode))
const notPieces = 'A whole number from 1 to 99 is needed'

/** The rules of an application, by its elements. */
const Application = z.object({
  BaseVehicle: code,
  SubModel: z.optional(code),
  Position: z.optional(code),
  Part: requiredLine(200, 'Part number is required'),
  Qty: z.optional(z.int(notPieces).check(z.gte(1, notPieces), z.lte(99, notPieces))),
  Note: EditedFitment.shape.note,
})

const notABrandId = 'four letters are needed'
export const BrandId = z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{4}$/, notABrandId))

const Header = z.object({
  Company: requiredLine(80, 'The element is missing'),
  DocumentTitle: requiredLine(80, 'The element is missing'),
  BrandAAIAID: z.optional(BrandId),
  SubmissionType: z.enum(['FULL', 'UPDATE', 'TEST'], 'FULL, UPDATE or TEST is needed'),
})
const Source = line(80)

const rowsAtOnce = 2500
const maxDepth = 10
/** More than any valid tag, text or comment has, in characters. The parser holds one of them in memory. */
const maxTokenLength = 100_000
/** More than any valid text has. The rest is not stored. */
const maxTextLength = 1000
/** Of one application. The rest is not reported. */
const maxErrors = 20

/** An application while it is read. */
interface App {
  row: number
  line: number
  action: string | undefined
  /** The brand of the part. Undefined: the one in the header. */
  brandId: string | undefined
  values: Record<string, unknown>
  note: string
  errors: Record<string, string>
}

/**
 * Reads the applications of an ACES file whose brands the shop knows: XML in UTF-8, version 4.0 to 4.2. Holds one batch of them in memory.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function* readAces(
  bytes: AsyncIterable<Buffer>,
  brandIds: ReadonlySet<string>,
): AsyncGenerator<Batch> {
  const file = createReader(brandIds)
  for await (const text of decode(bytes)) {
    file.write(text)
    if (file.batch.rows.length + file.batch.errors.length >= rowsAtOnce) yield file.takeBatch()
  }
  file.close()
  yield file.takeBatch()
}

/** @throws FileRefused */
async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const read = (chunk?: Buffer): string => {
    let text: string
    try {
      text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new FileRefused(notUtf8)
    }
    // UTF-16 without a byte order mark is valid UTF-8 with zeros.
    if (text.includes('\0')) throw new FileRefused(notUtf8)
    return text
  }
  for await (const chunk of chunks) yield read(chunk)
  yield read()
}

const notUtf8 = 'The file is not UTF-8. Save it as UTF-8.'

function createReader(brandIds: ReadonlySet<string>) {
  const parser = new SaxesParser()
  const path: string[] = []
  let batch: Batch = { columns: [], rows: [], errors: [], rowsRead: 0 }
  let text = ''
  let header: Record<string, string> = {}
  let source: string | null = null
  let app: App | null = null
  let recordCount: string | null = null
  let headerBrandId: string | undefined
  const leftOut = new Map<string, LeftOutBrand>()
  let leftOutCount = 0
  /** Characters since the end of the last token. */
  let pending = 0

  const refuse = (message: string): never => {
    throw new FileRefused(`Line ${parser.line}: ${message}`)
  }
  const addError = (error: Omit<ImportError, 'line'>, line = parser.line) =>
    batch.errors.push({ ...error, line })

  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toLowerCase() === 'utf-8') return
    refuse(`the file declares the encoding “${toExcerpt(encoding)}”. Save it as UTF-8.`)
  })
  parser.on('doctype', () => refuse('a document type (DOCTYPE) is not allowed.'))
  for (const token of ['comment', 'processinginstruction'] as const) parser.on(token, () => (pending = 0))
  for (const token of ['text', 'cdata'] as const) {
    parser.on(token, (found) => {
      pending = 0
      if (path.length === 3) text += found.slice(0, maxTextLength - text.length)
    })
  }

  parser.on('opentag', ({ name, attributes }) => {
    pending = 0
    path.push(name)
    if (path.length > maxDepth) refuse('the elements are nested too deeply.')
    text = path.length > 3 ? text : ''
    if (path.length === 1) openRoot(name, attributes)
    if (path.length === 2 && name === 'Header' && source !== null) refuse('the file has a second header.')
    if (path.length === 2 && name === 'App') openApp(attributes)
    if (path.length === 3 && app) openElement(app, name, attributes)
  })

  parser.on('closetag', () => {
    pending = 0
    const [, section, element] = path
    if (path.length === 3 && element !== undefined) closeElement(section, element)
    if (path.length === 2 && section === 'Header') closeHeader()
    if (path.length === 2 && app) closeApp(app)
    path.pop()
  })

  function openRoot(name: string, { version }: Record<string, string>): void {
    if (name !== 'ACES') refuse(`this is not an ACES file. Its root element is “${toExcerpt(name)}”.`)
    if (!/^4\.[0-2]$/.test(version ?? '')) {
      refuse(`the version “${toExcerpt(version ?? '')}” is not supported. Use ACES 4.0 to 4.2.`)
    }
  }

  function closeHeader(): void {
    const { data, error } = Header.safeParse(header)
    for (const { column, message } of error ? firstErrorPerColumn(error.issues) : []) {
      refuse(`Header, ${column}: ${message}.`)
    }
    const named = Source.safeParse(`ACES: ${data?.Company}, ${data?.DocumentTitle}`)
    if (!named.success) refuse('Company and DocumentTitle can have at most 72 characters together.')
    source = named.data ?? null
    headerBrandId = data?.BrandAAIAID
    if (data?.SubmissionType === 'TEST') {
      addError({ row: 0, column: 'SubmissionType', message: 'This file is a test, and cannot be imported' })
    }
  }

  function openApp({ action }: Record<string, string>): void {
    if (source === null) refuse('the header must come before the applications.')
    batch.rowsRead++
    if (batch.rowsRead > maxFileRows) {
      throw new FileRefused('A file can have at most 1,000,000 applications. Divide it into several files.')
    }
    // Without a prototype, because names of elements are its keys.
    const errors: Record<string, string> = Object.create(null)
    app = {
      row: batch.rowsRead,
      line: parser.line,
      action,
      brandId: undefined,
      values: {},
      note: '',
      errors,
    }
  }

  function openElement(current: App, name: string, attributes: Record<string, string>): void {
    const { values, errors } = current
    const { id = '', BrandAAIAID: brandId } = attributes
    if (name === 'Part' && brandId !== undefined) current.brandId = brandId.slice(0, maxTextLength)
    if (ignoredElements.includes(name) || name === 'Note' || Object.keys(errors).length >= maxErrors) return
    if (!Object.hasOwn(Application.shape, name)) {
      errors[toExcerpt(name)] = otherVehicles.includes(name) ? onlyBaseVehicles : otherLimit
    } else if (Object.hasOwn(values, name)) errors[name] = 'This element appears twice'
    else values[name] = toWholeNumber(id)
  }

  function closeElement(section: string | undefined, name: string): void {
    const value = text.replaceAll(/[\t\n\r ]+/g, ' ').trim()
    if (section === 'Header' && Object.hasOwn(Header.shape, name)) header = { ...header, [name]: value }
    if (section === 'Footer' && name === 'RecordCount') recordCount = value
    if (!app) return
    if (name === 'Note' && app.note.length < maxTextLength) {
      app.note = [app.note, value].filter(Boolean).join('; ')
    }
    if (name === 'Part') app.values[name] = value
    if (name === 'Qty') app.values[name] = toWholeNumber(value)
  }

  /** Returns whether the shop does not know the brand, and counts the application. */
  function leaveOut(brandId: string, partNumber: unknown): boolean {
    if (brandIds.has(brandId)) return false
    leftOutCount++
    const found = leftOut.get(brandId)
    if (found) found.applications++
    else if (leftOut.size < maxListedBrands) {
      leftOut.set(brandId, {
        brandId,
        applications: 1,
        partNumber: typeof partNumber === 'string' ? toExcerpt(partNumber) : '',
      })
    }
    return true
  }

  function closeApp({ row, line, action, brandId: named, values, note, errors }: App): void {
    app = null
    const brand = BrandId.safeParse(named ?? headerBrandId)
    if (brand.success && leaveOut(brand.data, values.Part)) return
    const isFull = header.SubmissionType !== 'UPDATE'
    const { data, error } = Application.safeParse({ ...values, Note: note || undefined })
    for (const { column, message } of error ? firstErrorPerColumn(error.issues) : []) {
      errors[column] ??= message
    }
    if (!('BaseVehicle' in values)) {
      delete errors.BaseVehicle
      if (!Object.values(errors).includes(onlyBaseVehicles)) errors.BaseVehicle = 'The element is missing'
    }
    if (named !== undefined && !brand.success) errors.Part = 'The attribute “BrandAAIAID” is not four letters'
    if (action !== 'A' && action !== 'D') errors.App = 'The attribute “action” is not A or D'
    else if (isFull && action === 'D') errors.App = 'A file with all applications cannot delete one'
    if (data && Object.keys(errors).length === 0) {
      batch.rows.push({
        row,
        line,
        action: isFull ? 'replace' : action === 'A' ? 'add' : 'delete',
        source,
        base_vehicle: data.BaseVehicle,
        submodel: data.SubModel,
        position_code: data.Position,
        brand_id: brand.data,
        part_number: data.Part,
        pieces: data.Qty,
        note: data.Note,
      })
    }
    for (const [column, message] of Object.entries(errors)) addError({ row, column, message }, line)
  }

  /** @throws FileRefused if the parser reports an error */
  function parse(step: () => void): void {
    try {
      step()
    } catch (error) {
      const [, line, message] = (error instanceof Error && /^(\d+):\d+: (.*)$/s.exec(error.message)) || []
      if (message === undefined) throw error
      throw new FileRefused(`Line ${line}: the XML is not valid: ${toExcerpt(message)}`)
    }
  }

  return {
    get batch() {
      return batch
    },
    takeBatch(): Batch {
      const taken = { ...batch, leftOut: { count: leftOutCount, brands: [...leftOut.values()] } }
      batch = { ...batch, rows: [], errors: [] }
      return taken
    },
    write(chunk: string): void {
      pending += chunk.length
      parse(() => parser.write(chunk))
      if (pending > maxTokenLength) refuse('a text or a tag is too long.')
    },
    /** @throws FileRefused if the file is incomplete */
    close(): void {
      parse(() => parser.close())
      if (batch.rowsRead === 0) throw new FileRefused('The file has no applications.')
      if (recordCount === null)
        throw new FileRefused('The footer has no RecordCount. The file may be incomplete.')
      if (recordCount !== String(batch.rowsRead)) {
        const shown = toExcerpt(recordCount).slice(0, 20)
        throw new FileRefused(
          `The footer counts ${shown} applications, but the file has ${batch.rowsRead}. It may be incomplete.`,
        )
      }
      // Otherwise a FULL file would remove all fitments of its source.
      if (leftOutCount === batch.rowsRead) {
        const some = [...leftOut.keys()].slice(0, 5).join(', ')
        throw new FileRefused(
          `The shop knows none of the brands in this file: ${some}. If you sell one, import its id as an ACES code of the kind “brand” first.`,
        )
      }
    },
  }
}
