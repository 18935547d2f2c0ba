import { format } from 'node:util'
import { afterEach, beforeEach, vi } from 'vitest'

let consoleErrors: string[] = []

beforeEach(() => {
  consoleErrors = []
  vi.spyOn(console, 'error').mockImplementation(
    (...args: unknown[]) => void consoleErrors.push(format(...args)),
  )
})

afterEach(() => {
  if (consoleErrors.length > 0) throw new Error(`console.error was called:\n${consoleErrors.join('\n')}`)
})
