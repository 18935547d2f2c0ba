/** Loads the image library on first use, because it takes much memory and most processes encode no picture. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // One thread and no cache, so that encoding does not slow down the shop.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
