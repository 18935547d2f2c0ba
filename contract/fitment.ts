import * as z from 'zod/mini'
import { bikeIdPattern } from './bikes.ts'
import { id, line, requiredLine, wholeNumber } from './fields.ts'
import { fitAnswers, fitKinds, orderLineFits } from './fit-answer.ts'

/** The fitments of a product that one request may save. Longer lists are edited as files. */
export const maxEditedFitments = 500
/** The bikes that the fitments of a product may cover. */
export const maxBikesOfProduct = 20_000
/** The source of fitments that do not name one. */
export const defaultFitmentSource = 'shop'

/** The id of a bike in a URL. A malformed one becomes 0, which no bike has: the response is 404. */
export const bikeId = z.pipe(
  z.string(),
  z.transform((text) => (bikeIdPattern.test(text) ? Number(text) : 0)),
)

/** One model of a make in one year. `make` and `model` are slugs for URLs, `name` is for people. */
export const Bike = z.object({
  id: z.int(),
  make: z.string(),
  model: z.string(),
  year: z.int(),
  /** Empty: not stated. */
  version: z.string(),
  engineCc: z.optional(z.int()),
  /** Such as `2009 Yamaha YZF-R6`. */
  name: z.string(),
})
export type Bike = z.infer<typeof Bike>

export const BikeQuery = z.object({ make: z.optional(id), model: z.optional(id) })

const Make = z.object({ make: z.string(), name: z.string() })
export type Make = z.infer<typeof Make>
const Model = z.object({ model: z.string(), name: z.string(), years: z.array(z.int()) })
export type Model = z.infer<typeof Model>

/**
 * All makes; the models of the make if the request names one; the bikes of the model, the newest first, and its other
 * names in the search box.
 */
export const BikeList = z.object({
  makes: z.array(Make),
  models: z.optional(z.array(Model)),
  bikes: z.optional(z.array(Bike)),
  aliases: z.optional(z.array(z.string())),
})
export type BikeList = z.infer<typeof BikeList>

const notAYear = '1900 to 2100'
const year = wholeNumber('Year is required').check(z.gte(1900, notAYear), z.lte(2100, notAYear))

const notCc = 'A whole number from 20 to 3000 is needed'

const hasWord = z.regex(/[\p{L}\p{N}]/u, 'A name needs a letter or a digit')
export const MakeName = requiredLine(60, 'Make is required').check(hasWord)
export const ModelName = requiredLine(80, 'Model is required').check(hasWord)

/** Bikes of one model to add. Those that the shop has stay as they are. */
export const NewBikes = z.object({
  make: MakeName,
  model: ModelName,
  yearFrom: year,
  /** Absent: one year. */
  yearTo: z.optional(year),
  version: z.optional(line(40)),
  engineCc: z.optional(z.int(notCc).check(z.gte(20, notCc), z.lte(3000, notCc))),
  /** Other names of the model in the search box, separated by semicolons. */
  aliases: z.optional(line(400)),
})
export type NewBikes = z.infer<typeof NewBikes>

/** The model of added bikes, as slugs, and the number of bikes that the shop did not have. */
export const AddedBikes = z.object({ make: z.string(), model: z.string(), added: z.int() })

const yearInUrl = z.coerce
  .number(notAYear)
  .check(z.int(notAYear), z.gte(1900, notAYear), z.lte(2100, notAYear))

/** The bikes of a model to remove. */
export const BikesToRemove = z.object({
  make: id,
  model: id,
  yearFrom: yearInUrl,
  /** Absent: one year. */
  yearTo: z.optional(yearInUrl),
  /** Absent: all versions of the years. */
  version: z.optional(line(40)),
})
export type BikesToRemove = z.infer<typeof BikesToRemove>

/** The number of removed bikes, and the slugs of their make and model, as far as these have other bikes. */
export const RemovedBikes = z.object({
  removed: z.int(),
  make: z.optional(z.string()),
  model: z.optional(z.string()),
})
export type RemovedBikes = z.infer<typeof RemovedBikes>

/** The slug of a make. */
export const MakeSlug = z.object({ make: id })
/** The slugs of a model. */
export const ModelSlugs = z.object({ make: id, model: id })
export type ModelSlugs = z.infer<typeof ModelSlugs>

/** The name of a make. Its slug follows it. */
export const EditedMake = z.object({ name: MakeName })
export type EditedMake = z.infer<typeof EditedMake>

/** The name of a model, whose slug follows it, and all of its other names, separated by semicolons. */
export const EditedModel = z.object({
  name: ModelName,
  aliases: z.optional(line(2000)),
})
export type EditedModel = z.infer<typeof EditedModel>

/** A statement that a product fits a range of years of a model. `make` and `model` are slugs. */
export const EditedFitment = z.object({
  make: requiredLine(80, 'Make is required'),
  model: requiredLine(80, 'Model is required'),
  yearFrom: year,
  yearTo: year,
  /** Absent: every version. */
  version: z.optional(line(40)),
  /** Such as `front`. */
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

/** A stored fitment. `name` is that of the model, such as `Yamaha YZF-R6`. */
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

/** A page of the fitments of a product. */
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
  /** Absent: they stay as they are, also those of a list that is too long for one request. */
  fitments: z.optional(
    z.array(EditedFitment).check(z.maxLength(maxEditedFitments, `At most ${maxEditedFitments} fitments`)),
  ),
  /** That of the list that was edited. */
  revision: z.string().check(z.maxLength(80)),
})
export type EditedFitments = z.infer<typeof EditedFitments>

/** The kinds of parts in the shop, with the number of their products by fit kind. */
export const FitKindCounts = z.object({
  kinds: z.array(z.object({ kind: z.string(), vehicle: z.int(), universal: z.int(), gear: z.int() })),
})
export type FitKindCounts = z.infer<typeof FitKindCounts>

/** The fit kind for all products of a kind of part. */
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

/** The text that a rider types to find a bike, such as `2009 r6`. */
export const BikeSearch = z.object({ q: line(100) })

/** A model that matches a text; in one year, if the text has a year in which the shop has it. */
export const BikeMatch = z.object({
  make: z.string(),
  model: z.string(),
  year: z.optional(z.int()),
  /** Such as `2009 Yamaha YZF-R6`. */
  name: z.string(),
})
export type BikeMatch = z.infer<typeof BikeMatch>
export const BikeMatches = z.object({ matches: z.array(BikeMatch) })

/** The products of one request. A URL has at most 50 parameters. */
const maxFitsPerCall = 40

export const FitsQuery = z.object({
  bike: bikeId,
  /** May be repeated. */
  product: z.pipe(
    z.union([id, z.array(id).check(z.maxLength(maxFitsPerCall, `At most ${maxFitsPerCall} products`))]),
    z.transform((products) => [...new Set([products].flat())].toSorted()),
  ),
})

/** Whether the products fit. Those that the shop does not have are left out. */
export const Fits = z.object({
  fits: z.array(z.object({ product: z.string(), answer: z.enum(fitAnswers) })),
})

export const FitQuery = z.object({ product: id, bike: bikeId })

/** Models that a search text names, and how the text is read if it names only one. */
export interface BikeSearch {
  /** Null if the text names several models, or a year in which the shop does not have the model. */
  read: {
    /** Such as `2009 Yamaha YZF-R6`, or `Yamaha YZF-R6` for all years. */
    name: string
    bikes: number[]
    /** The year of each bike. */
    years: number[]
    /** The words that name no bike. */
    rest: string
  } | null
  /** Those that the text may name, if it is not read. */
  models: { make: string; model: string; name: string }[]
}

/** The id of a bike in the line of a cart or an order. */
export const lineBike = z
  .int('Bike is invalid')
  .check(z.gte(1, 'Bike is invalid'), z.lte(2_147_483_647, 'Bike is invalid'))

/** Whether the product of a line fits its bike. `position`: such as `front`. Gear has none. */
export const LineFit = z.object({
  bike: z.object({ id: z.int(), name: z.string() }),
  answer: z.enum(orderLineFits),
  position: z.optional(z.string()),
})
export type LineFit = z.infer<typeof LineFit>

/** Whether a product fits a bike. */
export const FitResult = z.object({
  answer: z.enum(fitAnswers),
  bike: Bike,
  /** The fitments that cover the bike; for `fits_some` those of its other versions. */
  fitments: z.array(Fitment),
  /** The versions that the product fits, if it does not fit the bike as stated. */
  versions: z.array(z.string()),
  replacedBy: z.optional(Replacement),
})
export type FitResult = z.infer<typeof FitResult>

/** The same for the line of a cart. */
export const CartLineFit = z.extend(
  LineFit,
  z.pick(FitResult, { bike: true, fitments: true, versions: true }).shape,
)
export type CartLineFit = z.infer<typeof CartLineFit>

/** The fitments of a product, as its page shows them. */
export interface ProductFit {
  complete: boolean
  /** One page of them. */
  fitments: Fitment[]
  total: number
  replacedBy?: Replacement | undefined
}
