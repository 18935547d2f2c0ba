import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,db,sandboxes,scripts,seed,server,tests,web}/**/*.test.{ts,tsx}'],
    globalSetup: 'tests/global-setup.ts',
    setupFiles: 'tests/fail-on-console-error.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // One for each core of a small machine, where the default is one less: the tests wait more than they work.
    maxWorkers: 2,
  },
})
