import { describe, expect, test } from 'vitest'
import type { Product, Variant } from './catalog.ts'
import { applyChoice, type ChoiceValue, describeAvailability, explainUnavailable } from './choice.ts'
import { type Choice, choiceSearch, readChoice } from './choice-urls.ts'

const variant = (size: string, colour: string, quantity: number, own: Partial<Variant> = {}): Variant => ({
  id: `${size}-${colour}`,
  size,
  colour,
  quantity,
  price: 200,
  ...own,
})
const jacket: Product = {
  _id: 'jacket',
  name: 'Jacket',
  image: '/jacket.svg',
  description: '',
  minimum: 1,
  quantity: 12,
  price: 200,
  options: 'variants',
  variants: [
    variant('M', 'Black', 0),
    variant('M', 'Blue', 8, { image: '/blue.svg', swatch: '#1d5fa8', sku: 'J-M-BL' }),
    variant('L', 'Black', 2, { price: 220 }),
    variant('L', 'Blue', 0),
    variant('L', 'Red', 2),
  ],
}
const choose = (wanted: Choice, product = jacket) => applyChoice(product, wanted)
const summary = (values: ChoiceValue[]) =>
  values.map(({ value, isChosen, availability }) => `${value} ${availability}${isChosen ? ' chosen' : ''}`)

describe('a product with sizes and colours', () => {
  test.each<[Choice, string | undefined]>([
    [{ size: 'L', colour: 'Black' }, 'L-Black'],
    [{ size: 'L', colour: 'Blue' }, 'L-Blue'],
    [{ size: 'M', colour: 'Red' }, undefined],
    [{ size: 'M' }, undefined],
    [{ size: 'XXL', colour: 'Black' }, undefined],
    [{ size: 'l', colour: 'Blue' }, undefined],
  ])('%o chooses %s', (wanted, id) => {
    expect(choose(wanted).variant?.id).toBe(id)
  })

  test('each size and colour has its availability together with the other choice', () => {
    const { values } = choose({ size: 'L', colour: 'Blue' })
    expect(summary(values.size)).toEqual(['M inStock', 'L outOfStock chosen'])
    expect(summary(values.colour)).toEqual(['Black inStock', 'Blue outOfStock chosen', 'Red inStock'])
    expect(values.colour.map(({ choice }) => choice)).toEqual([
      { size: 'L', colour: 'Black' },
      { size: 'L', colour: 'Blue' },
      { size: 'L', colour: 'Red' },
    ])
    expect(values.colour[1]?.swatch).toBe('#1d5fa8')
    expect(summary(choose({ size: 'M', colour: 'Red' }).values.colour)).toEqual([
      'Black outOfStock',
      'Blue inStock',
      'Red notOffered chosen',
    ])
  })

  test('the product has price, stock, picture and part number of the chosen variant', () => {
    expect(choose({ size: 'M', colour: 'Blue' }).product).toMatchObject({
      price: 200,
      quantity: 8,
      image: '/blue.svg',
      sku: 'J-M-BL',
    })
    expect(choose({ size: 'L', colour: 'Black' }).product).toMatchObject({
      price: 220,
      quantity: 2,
      image: '/jacket.svg',
    })
    expect(choose({ size: 'M', colour: 'Red' }).product).toMatchObject({ price: 200, quantity: 0 })
  })

  test.each<[Choice, string | null, string | null]>([
    [{ size: 'M', colour: 'Blue' }, null, null],
    [{ size: 'L', colour: 'Black' }, 'Only 2 left.', null],
    [{ size: 'L', colour: 'Blue' }, 'Out of stock in L, Blue.', 'Out of stock in L, Blue.'],
    [{ size: 'M', colour: 'Red' }, 'Not available in M, Red.', 'Not available in M, Red.'],
  ])('%o is described as %s', (wanted, sentence, reason) => {
    expect(describeAvailability(choose(wanted))).toBe(sentence)
    expect(explainUnavailable(choose(wanted))).toBe(reason)
  })

  test('with sizes only, there is no choice of colour', () => {
    const variants = [
      { id: 'a', size: 'M', quantity: 0, price: 200 },
      { id: 'b', size: 'L', quantity: 9, price: 200 },
    ]
    const chosen = choose({ size: 'M', colour: 'Blue' }, { ...jacket, variants })
    expect(chosen.values.colour).toEqual([])
    expect(describeAvailability(chosen)).toBe('Out of stock in M.')
  })
})

describe('without a complete choice', () => {
  test('nothing is chosen: the product has the stock of all variants, and both choices are missing', () => {
    const chosen = choose({})
    expect(chosen).toMatchObject({
      missing: ['size', 'colour'],
      product: { quantity: 12, image: '/jacket.svg' },
    })
    expect([chosen.variant, chosen.size, chosen.colour]).toEqual([undefined, undefined, undefined])
    expect(summary(chosen.values.size)).toEqual(['M inStock', 'L inStock'])
    expect([choiceSearch(chosen), describeAvailability(chosen)]).toEqual(['', null])
  })

  test('a colour alone has its picture and its stock, and marks the sizes that are sold out in it', () => {
    const chosen = choose({ colour: 'Blue' })
    expect(chosen).toMatchObject({ missing: ['size'], product: { quantity: 8, image: '/blue.svg' } })
    expect(chosen.variant).toBeUndefined()
    expect(summary(chosen.values.size)).toEqual(['M inStock', 'L outOfStock'])
    expect(choiceSearch(chosen)).toBe('?colour=Blue')
  })

  test('a complete choice is the variant', () => {
    expect(choose({ size: 'L', colour: 'Black' })).toMatchObject({ missing: [], variant: { id: 'L-Black' } })
    expect(choose({ size: 'M', colour: 'Red' })).toMatchObject({ missing: [], variant: undefined })
  })

  test('a single colour needs no choice', () => {
    const variants = ['M', 'L'].map((size) => variant(size, 'Black', 3))
    expect(choose({}, { ...jacket, variants }).missing).toEqual(['size'])
    expect(choose({ size: 'L' }, { ...jacket, variants }).variant?.id).toBe('L-Black')
  })

  test('a size that only some variants have is preselected', () => {
    const variants = [{ id: 'plain', colour: 'Red', quantity: 2, price: 200 }, variant('M', 'Red', 5)]
    expect(choose({}, { ...jacket, variants })).toMatchObject({ missing: [], variant: { id: 'plain' } })
  })

  test('all variants are sold out', () => {
    const variants = jacket.variants?.map((each) => ({ ...each, quantity: 0 }))
    expect(explainUnavailable(choose({}, { ...jacket, quantity: 0, variants }))).toBe('Out of stock.')
  })
})

describe('a product without variants of its own', () => {
  const disc: Product = {
    ...jacket,
    quantity: 3,
    options: 'standard',
    variants: [{ id: 'jacket', quantity: 3, price: 200 }],
  }

  test('standard sizes and colours are optional: nothing is preselected, and a choice can be taken back', () => {
    const { variant, size, values } = choose({}, disc)
    expect(variant?.id).toBe('jacket')
    expect(size).toBeUndefined()
    expect(values.size.map(({ value }) => value)).toEqual(['SM', 'M', 'L', 'XL'])
    expect(values.colour.map(({ value }) => value)).toEqual(['Black', 'White', 'Red', 'Blue'])
    const chosen = choose({ size: 'XL', colour: 'Pink' }, disc)
    expect(chosen).toMatchObject({ size: 'XL', colour: undefined })
    expect(choiceSearch(chosen.values.size[3]?.choice ?? {})).toBe('')
    expect(choiceSearch(chosen.values.colour[0]?.choice ?? {})).toBe('?size=XL&colour=Black')
  })

  test('its stock is not described', () => {
    expect(describeAvailability(choose({}, disc))).toBeNull()
    expect(explainUnavailable(choose({}, { ...disc, quantity: 0 }))).toBeNull()
  })

  test('without options there is nothing to choose', () => {
    const chosen = choose({ size: 'L', colour: 'Red' }, { ...disc, options: 'none' })
    expect(chosen).toMatchObject({ size: undefined, colour: undefined, values: { size: [], colour: [] } })
  })
})

test('the choice of a URL is read and written', () => {
  expect(readChoice('?colour=Dark+blue&utm_source=x&size=L')).toEqual({ size: 'L', colour: 'Dark blue' })
  expect(readChoice('?size=')).toEqual({ size: undefined, colour: undefined })
  expect(choiceSearch({ size: 'L', colour: 'Dark blue' })).toBe('?size=L&colour=Dark+blue')
  expect(choiceSearch({})).toBe('')
})
