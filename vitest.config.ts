import { defineConfig } from 'vitest/config'
import { useMemory } from './tests/use-memory.ts'

useMemory()

/** Their modules have state: of a browser tab, of the tracing SDK, or counters of the whole process. */
const alone = ['web/**/*.test.{ts,tsx}', 'tests/{log,metrics,traces}.test.ts']

const shared = {
  setupFiles: ['tests/fail-on-console-error.ts', 'tests/quick-passwords.ts'],
  // For a machine with one slow core. Each wait has a limit of its own.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Node imports the built pages as they are. Vite would transform them for a second or more.
  server: { deps: { external: [/\/build\/server\//] } },
}

export default defineConfig({
  test: {
    globalSetup: 'tests/global-setup.ts',
    // More than the cores of a small machine, because the tests wait almost as long as they work. Three leave it idle for a
    // seventh of the time.
    maxWorkers: 4,
    // Fewer collections of short-lived objects.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    projects: [
      {
        test: {
          ...shared,
          name: 'one process',
          include: ['{contract,db,sandboxes,scripts,seed,server,tests}/**/*.test.ts'],
          exclude: alone,
          // All files of a worker share its process and modules, which take a second to load.
          isolate: false,
        },
      },
      { test: { ...shared, name: 'own process', include: alone } },
    ],
  },
})
