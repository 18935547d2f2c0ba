/** The accepted formats of uploads. Phones convert other formats if a file input accepts only these. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

/** 1.5 times the size of a photo from a good phone. */
export const maxPictureBytes = 12_000_000
export const maxPicturePixels = 50_000_000
