/** Origin of the map frame on the contact page. The policy of other pages does not allow it. */
export const mapHost = 'https://www.openstreetmap.org'
