/** Origin of the map iframe on the contact page. The content security policy of other pages does not allow it. */
export const mapHost = 'https://www.openstreetmap.org'
