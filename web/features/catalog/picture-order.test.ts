import { expect, test } from 'vitest'
import type { Variant } from '../../../contract/catalog.ts'
import { orderPictures } from './picture-order.ts'

const [blue, back, red, armour] = ['/blue.svg', '/back.svg', '/red.svg', '/armour.svg']
const variant = (values: Partial<Variant>): Variant => ({ id: 'v', price: 1, quantity: 1, ...values })
const jacket = {
  image: blue,
  pictures: [
    { image: blue, colour: 'Blue' },
    { image: armour },
    { image: back, colour: 'Red' },
    { image: red, colour: 'Red' },
  ],
  variants: [variant({ colour: 'Blue' }), variant({ colour: 'Red', image: red })],
}

test.each([
  ['no choice', { image: blue }, [blue, armour, back, red]],
  ['a colour with a picture of its own', { colour: 'Red', image: red }, [red, back, armour, blue]],
  ['a colour without one', { colour: 'Red', image: blue }, [back, red, armour, blue]],
  ['the colour of the first picture', { colour: 'Blue', image: blue }, [blue, armour, back, red]],
  ['a colour that no picture shows', { colour: 'Green', image: blue }, [armour, blue, back, red]],
])('for %s the pictures have the order of the choice', (_what, choice, images) => {
  expect(orderPictures(jacket, choice).map(({ image }) => image)).toEqual(images)
})

test('a picture that only variants have is listed once, with their colour', () => {
  const green = variant({ colour: 'Green', image: '/green.svg' })
  const product = { ...jacket, variants: [...jacket.variants, green, green] }
  expect(orderPictures(product, { image: blue }).slice(4)).toEqual([{ image: '/green.svg', colour: 'Green' }])
})
