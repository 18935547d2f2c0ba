import * as z from 'zod/mini'
import { year } from './bikes.ts'
import { line, requiredLine, wholeNumber } from './fields.ts'
import { fitKinds } from './fit-answer.ts'

/** The fitments of a product that one request may save. Longer lists are edited as files. */
export const maxEditedFitments = 500

/** The bikes that the fitments of a product may cover. */
export const maxBikesOfProduct = 20_000

/** The source of fitments that do not name one. */
export const defaultFitmentSource = 'shop'

/** A statement that a product fits a range of years of a model. `make` and `model` are slugs. */
export const EditedFitment = z.object({
  make: requiredLine(80, 'Make is required'),
  model: requiredLine(80, 'Model is required'),
  yearFrom: year,
  yearTo: year,
  /** Absent: every version. */
  version: z.optional(line(40)),
  /** For example `front`. */
  position: z.optional(line(40)),
  /** Per bike. */
  pieces: z.optional(
    wholeNumber('Pieces are required').check(z.gte(1, 'At least 1'), z.lte(99, 'At most 99')),
  ),
  note: z.optional(line(300)),
  source: z.optional(line(80)),
  /** YYYY-MM-DD */
  confirmedOn: z.optional(z.iso.date('This is not a date')),
})
export type EditedFitment = z.infer<typeof EditedFitment>

/** A stored fitment. `name`: the name of the model, such as `Yamaha YZF-R6`. */
export const Fitment = z.object({
  make: z.string(),
  model: z.string(),
  name: z.string(),
  yearFrom: z.int(),
  yearTo: z.int(),
  version: z.optional(z.string()),
  position: z.optional(z.string()),
  pieces: z.optional(z.int()),
  note: z.optional(z.string()),
  source: z.string(),
  confirmedOn: z.optional(z.string()),
})
export type Fitment = z.infer<typeof Fitment>

/** A page of a product's fitments. */
export const FitmentQuery = z.object({
  page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
})
export type FitmentQuery = z.infer<typeof FitmentQuery>

/** Sorted by model and year. `complete`: they name every bike that the product fits. */
export const FitmentList = z.object({
  fitKind: z.enum(fitKinds),
  complete: z.boolean(),
  fitments: z.array(Fitment),
  /** Number of fitments on all pages. */
  total: z.int(),
  /** Changes with each saved change of the fitments. */
  revision: z.string(),
})
export type FitmentList = z.infer<typeof FitmentList>

export const EditedFitments = z.object({
  fitKind: z.enum(fitKinds),
  complete: z.boolean(),
  /** Absent: they stay as they are, even if the list is too long for one request. */
  fitments: z.optional(
    z.array(EditedFitment).check(z.maxLength(maxEditedFitments, `At most ${maxEditedFitments} fitments`)),
  ),
  /** The revision of the list that was edited. */
  revision: z.string().check(z.maxLength(80)),
})
export type EditedFitments = z.infer<typeof EditedFitments>

/** The kinds of parts in the shop, with the number of their products by fit kind. */
export const FitKindCounts = z.object({
  kinds: z.array(z.object({ kind: z.string(), vehicle: z.int(), universal: z.int(), gear: z.int() })),
})
export type FitKindCounts = z.infer<typeof FitKindCounts>

/** The fit kind for all products with the same kind of part. */
export const NewFitKind = z.object({ kind: requiredLine(80, 'Kind is required'), fitKind: z.enum(fitKinds) })
export type NewFitKind = z.infer<typeof NewFitKind>

/** Numbers of products. `skipped`: they have fitments, so that they are made for particular bikes. */
export const FitKindChange = z.object({ changed: z.int(), skipped: z.int() })
export type FitKindChange = z.infer<typeof FitKindChange>

/** The product that replaces another one. */
export const Replacement = z.object({
  _id: z.string(),
  name: z.string(),
  sku: z.optional(z.string()),
})
export type Replacement = z.infer<typeof Replacement>

/** A product that another one replaces. */
export const ReplacedProduct = z.extend(Replacement, {
  /** The shop no longer sells it. */
  deleted: z.optional(z.literal(true)),
})
export type ReplacedProduct = z.infer<typeof ReplacedProduct>
