/** Modules that each module may call, through `service.ts`. A new edge is one line with its reason. */
export const allowedModules: Record<string, string> = {
  'identity -> mail': 'account emails go through the outbox',
  'archive -> customers': 'past orders are shown for a verified email',
  'archive -> imports': 'its files are read by the engine',
  'addresses -> customers': 'the lock of an address book is the row of its customer',
  'cart -> customers': 'the lock of a cart is the row of its customer',
  'customers -> identity': 'a customer signs in with a verified identity',
  'customers -> audit': 'changes of two-step logins are recorded',
  'customers -> settings': 'whether staff must have two-step login is a setting',
  'customers -> mail': 'an invitation of staff is an email',
  'customers -> pictures': 'the photo of a profile is a picture',
  'catalog -> audit': 'changes of brands, size charts, synonyms and attributes are recorded',
  'catalog -> imports': 'its files are read by the engine; variants are not saved while an import runs',
  'catalog -> pictures': 'an import uses the copies of pictures, and queues new ones',
  'fitment -> imports': 'its files are read by the engine',
  'fitment -> audit': 'changes of ACES codes are recorded',
  'bikes -> audit': 'changes of bikes are recorded',
  'bikes -> imports': 'its files are read by the engine',
  'fitment -> bikes': 'an answer names the bike',
  'fitment -> catalog':
    'an answer names the replacement; changes of fitments are in the history of the product',
  'pricing -> audit': 'changes of rates are recorded',
  'imports -> audit': 'an import is one entry of the audit',
  'garage -> customers': 'the lock of a garage is the row of its customer',
  'garage -> bikes': 'a garage holds bikes that the shop knows',
  'reviews -> customers': 'a review shows the name of its customer',
  'orders -> catalog': 'an order reserves stock',
  'cart -> catalog': 'a line with a product that is not for sale is a problem',
  'cart -> pricing': 'a quote has the prices of an order',
  'orders -> pricing': 'an order costs what its rows add up to',
  'orders -> cart': 'checkout prices the cart and empties it',
  'catalog -> bikes': 'a list can be limited to the parts for a bike',
  'cart -> bikes': 'a line names the bike that it is for',
  'cart -> fitment': 'a line has the answer for its bike',
  'orders -> bikes': 'a line names the bike that it was ordered for',
  'orders -> fitment': 'a line keeps whether the part fitted the bike',
  'orders -> mail': 'changes of an order are announced by email',
  'orders -> customers': 'the limit depends on a verified email',
  'orders -> audit': 'a longer time to pay is recorded',
  'payments -> audit': 'a refund that staff closes is recorded',
  'mail -> audit': 'the deletion of a failed email is recorded',
  'payments -> orders': 'a settled payment marks its order as paid',
  'returns -> orders': 'the items of a return are those of its order',
  'returns -> payments': 'a withdrawal refunds, and a refund can close a return',
  'returns -> customers': 'a withdrawal may have the present email of the customer',
  'returns -> mail': 'decisions are announced by email',
  'returns -> bikes': 'a returned item names the bike that it was ordered for',
  'invoices -> orders': 'an invoice lists what the order costs',
  'invoices -> payments': 'a credit note lists what a refund returns',
  'settings -> audit': 'changes of settings are recorded',
  'settings -> pictures': 'a logo is an uploaded picture',
  'seo -> settings': 'the feed has the name of the shop',
  'content -> audit': 'publications and redirects are recorded',
  'content -> imports': 'its files are read by the engine',
  'content -> catalog': 'a redirect leads to the present address of a product',
  'seo -> content': 'a sitemap lists pages and posts',
  'seo -> catalog': 'sitemaps and feed list the products',
  'seo -> fitment': 'a sitemap lists the pages of bikes',
}

/** Lists the edges, such as `orders -> catalog`, that are part of a cycle. */
export function listCycles(edges: string[]): string[] {
  const pairs = edges.map((edge) => edge.split(' -> '))
  const listReached = (from: string, reached = new Set<string>()): Set<string> => {
    for (const [start, end = ''] of pairs) {
      if (start !== from || reached.has(end)) continue
      listReached(end, reached.add(end))
    }
    return reached
  }
  return edges.filter((_, index) => {
    const [from = '', to = ''] = pairs[index] ?? []
    return listReached(to).has(from)
  })
}
