import { format } from 'node:util'
import { afterEach, beforeEach, vi } from 'vitest'

let complaints: string[] = []

beforeEach(() => {
  complaints = []
  vi.spyOn(console, 'error').mockImplementation(
    (...words: unknown[]) => void complaints.push(format(...words)),
  )
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(`console.error was called:\n${complaints.join('\n')}`)
})
