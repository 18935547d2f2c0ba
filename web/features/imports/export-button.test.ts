import { expect, test, vi } from 'vitest'
import { saveFile } from './export-button.tsx'

test('the URL of a saved file stays until the browser has started the download', () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { createElement: () => ({ click: vi.fn<() => void>() }) })
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  saveFile(new Blob(['id']), 'products.csv')
  vi.advanceTimersByTime(30_000)
  expect(revoke).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:file')
})
