import { expect, test } from 'vitest'
import { listPeople } from './people.ts'

test('each person is listed once, an unverified account with the name of its order', () => {
  const [ada, uwe] = [{ email: 'ada@example.com' }, { email: 'uwe@example.com' }]
  const order = {
    id: 'o1',
    number: 'o1',
    status: 'paid',
    product: 'Chain',
    city: 'Boston',
    amount: 9,
  } as const
  const customers = [
    { ...ada, name: '', phone: '', orders: 1, unverified: true },
    { ...uwe, name: 'Uwe', phone: '', orders: 1 },
  ]
  const orders = [
    { ...order, ...ada, name: 'Ada', phone: '1' },
    { ...order, ...uwe, name: 'U. Gross', phone: '2' },
    { ...order, email: '', name: 'Imported', phone: '' },
  ]
  expect(listPeople({ customers, orders }).map(({ email, name }) => [email, name])).toEqual([
    ['ada@example.com', 'Ada'],
    ['uwe@example.com', 'Uwe'],
  ])
})
