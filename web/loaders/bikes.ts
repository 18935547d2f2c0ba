import { bikePath, fitmentsPerPage } from '../../contract/bike-urls.ts'
import type { Bike } from '../../contract/bikes.ts'
import { fitmentPath, toSlug } from '../../contract/product.ts'
import type { LoaderRequest } from './loaders.ts'

export type { LoaderData } from './loaders.ts'

const notFound = { data: null, status: 404 }
const root = { name: 'Motorcycles', path: bikePath() }

/** Redirects to the page of the present name, if the make or the model has been renamed or is in upper case. */
async function redirectRenamed(
  queries: LoaderRequest['queries'],
  make: string,
  model?: string,
  year?: string,
) {
  const present = await queries.renamedBike({ make: make.toLowerCase(), model: model?.toLowerCase() })
  if (!present || (present.make === make && present.model === (model ?? null))) return notFound
  return { redirect: bikePath(present.make, present.model, year) }
}

export async function loadBikes({ queries }: LoaderRequest) {
  const list = await queries.bikes({})
  return { data: { makes: list?.makes ?? [], trail: [root] } }
}

export async function loadBikeMake({ params: { make = '' }, queries }: LoaderRequest) {
  const list = await queries.bikes({ make })
  if (!list?.models) return redirectRenamed(queries, make)
  const step = toMakeStep(make, list.makes)
  return { data: { ...step, models: list.models, trail: [root, step] } }
}

export async function loadBikeModel({ params: { make = '', model = '' }, queries }: LoaderRequest) {
  const list = await queries.bikes({ make, model })
  if (!list?.bikes) return redirectRenamed(queries, make, model)
  const steps = toModelSteps(list, make, model)
  return {
    data: {
      name: `${steps.make.name} ${steps.model.name}`,
      path: steps.model.path,
      years: [...new Set(list.bikes.map(({ year }) => year))],
      trail: [root, steps.make, steps.model],
    },
  }
}

export async function loadBikeYear({ params: { make = '', model = '', year = '' }, queries }: LoaderRequest) {
  const list = await queries.bikes({ make, model })
  const ofYear = list?.bikes?.filter((each) => `${each.year}` === year) ?? []
  const bike = ofYear.find(({ version }) => version === '')
  if (!list || !bike) return redirectRenamed(queries, make, model, year)
  const steps = toModelSteps(list, make, model)
  const step = { name: year, path: bikePath(make, model, bike.year) }
  const parts = await queries.bikeParts(bike.id)
  return {
    data: {
      ...parts,
      bike,
      versions: ofYear.filter(({ version }) => version !== ''),
      path: step.path,
      trail: [root, steps.make, steps.model, step],
    },
  }
}

interface Names {
  makes: { make: string; name: string }[]
  bikes?: Bike[] | undefined
  models?: { model: string; name: string }[] | undefined
}

function toMakeStep(make: string, makes: Names['makes']) {
  return { name: makes.find((each) => each.make === make)?.name ?? make, path: bikePath(make) }
}

function toModelSteps({ makes, models = [] }: Names, make: string, model: string) {
  const name = models.find((each) => each.model === model)?.name ?? model
  return { make: toMakeStep(make, makes), model: { name, path: bikePath(make, model) } }
}

/** Returns the `page` of a URL; 1 if it is missing or not a number. */
export function readPage({ searchParams }: URL): number {
  const text = searchParams.get('page') ?? '1'
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** A page of all bikes that a product fits. */
export async function loadProductFitment({ url, params: { id = '', slug }, queries }: LoaderRequest) {
  const found = await queries.productPage(id)
  if (found === null || typeof found === 'string') return notFound
  const page = readPage(url)
  const search = page > 1 ? `?page=${page}` : ''
  const { _id, name } = found.product
  if (slug !== toSlug(name)) return { redirect: fitmentPath(found.product), search }
  const fit = await queries.productFit(id, { page, pageSize: fitmentsPerPage })
  const pages = Math.ceil(fit.total / fitmentsPerPage)
  if (page > pages) return { ...notFound, search }
  return { data: { product: { _id, name }, fit, page, pages }, search }
}
