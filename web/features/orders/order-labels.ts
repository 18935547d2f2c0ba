import type { Order } from '../../../contract/orders.ts'
import { sampleDate } from '../../texts.ts'

/** Order number shown to users: the first 6 characters of the id. */
export const orderNumber = (id: string): string => id.slice(0, 6)

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

export const orderDate = ({ date }: Order): string => (date ? dates.format(new Date(date)) : sampleDate)
