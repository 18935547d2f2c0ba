/** What the shop is called. */
export const shopName = 'Torque Yard'
