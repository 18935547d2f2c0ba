import { defineConfig } from 'vitest/config'

/** Their modules have state: of a browser tab, of the tracing SDK, or counters of the whole process. */
const alone = ['web/**/*.test.{ts,tsx}', 'tests/{log,metrics,traces}.test.ts']

const shared = {
  setupFiles: 'tests/fail-on-console-error.ts',
  testTimeout: 20_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}

export default defineConfig({
  test: {
    globalSetup: 'tests/global-setup.ts',
    // One for each core of a small machine, where the default is one less: the tests wait more than they work.
    maxWorkers: 2,
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
