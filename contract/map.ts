/** Whose maps the contact page shows in a frame; no other page may. */
export const mapHost = 'https://www.openstreetmap.org'
