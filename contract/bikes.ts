import * as z from 'zod/mini'
import { bikeIdPattern } from './bike-urls.ts'
import { id, line, requiredLine, wholeNumber } from './fields.ts'

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
  /** For example `2009 Yamaha YZF-R6`. */
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

export const year = wholeNumber('Year is required').check(z.gte(1900, notAYear), z.lte(2100, notAYear))

const notCc = 'A whole number from 20 to 3000 is needed'

const hasWord = z.regex(/[\p{L}\p{N}]/u, 'A name needs a letter or a digit')

export const MakeName = requiredLine(60, 'Make is required').check(hasWord)

export const ModelName = requiredLine(80, 'Model is required').check(hasWord)

/** Bikes of one model to add. Existing bikes stay as they are. */
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

/** The number of removed bikes. The slugs of make and model are missing if they have no bikes left. */
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
  /** The names that were edited, as `toModelRevision`. Without it, a save overwrites other admins' changes. */
  revision: z.optional(z.string().check(z.maxLength(10_000))),
})
export type EditedModel = z.infer<typeof EditedModel>

/** The names themselves, because the list of bikes is public and has no other revision. */
export const toModelRevision = (name: string, aliases: string[]): string => [name, ...aliases].join('; ')

/** The text that a rider types to find a bike, such as `2009 r6`. */
export const BikeSearchQuery = z.object({ q: line(100) })

/** A model that matches a text; in one year, if the text has a year in which the shop has it. */
export const BikeMatch = z.object({
  make: z.string(),
  model: z.string(),
  year: z.optional(z.int()),
  /** The years in which the shop has the model, if the text has another one. */
  years: z.optional(z.array(z.int())),
  /** For example `2009 Yamaha YZF-R6`. */
  name: z.string(),
})
export type BikeMatch = z.infer<typeof BikeMatch>

export const BikeMatches = z.object({ matches: z.array(BikeMatch) })

/** Models that a search text names, and how the text is read if it names only one. */
export interface BikeReading {
  /** Null if the text names several models. */
  read: {
    /** The slugs of the model. */
    make: string
    model: string
    /** For example `2009 Yamaha YZF-R6`, or `Yamaha YZF-R6` for all years. */
    name: string
    bikes: number[]
    /** The year of each bike. */
    years: number[]
    /** Whether the text has a year in which the shop does not have the model: then it has the bikes of all years. */
    isOtherYear: boolean
    /** The words that name no bike. */
    rest: string
  } | null
  /** Models that the text may name, if it is not read. */
  models: NamedModel[]
  /** The make, if the text names one without a model. */
  make?: MakeReading | undefined
  /** Whether the text names the bike of the list, its model or its make. */
  isOwn: boolean
}

interface NamedModel {
  make: string
  model: string
  /** For example `Yamaha YZF-R6`. */
  name: string
}

/** A search text that names a make, and perhaps parts of model names. */
interface MakeReading {
  make: string
  name: string
  /** The models whose names have the words beside the make; all of them if none has. */
  models: NamedModel[]
  /** The ids of these models. */
  modelIds: number[]
  /** The words that name no bike. */
  rest: string
}

/** The id of a bike in the line of a cart or an order. */
export const lineBike = z
  .int('Bike is invalid')
  .check(z.gte(1, 'Bike is invalid'), z.lte(2_147_483_647, 'Bike is invalid'))
