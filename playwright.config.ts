import { defineConfig } from '@playwright/test'
import { browserArgs, findBrowser } from './scripts/browser.ts'
import { useMemory } from './tests/use-memory.ts'

useMemory()

const browser = findBrowser()

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/browser/global-setup.ts',
  testMatch: '*.spec.ts',
  fullyParallel: true,
  // More than the cores of a small machine, because the tests wait almost as long as they work.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // Some stories have many steps, and a machine may have one slow core. Each expectation has a limit of its own.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? 'dot' : 'list',
  use: {
    // A control that never comes fails here, instead of at the limit of its test.
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: [
        ...browserArgs,
        // Most pages of a test are short-lived: optimizing their scripts takes longer than it saves.
        '--js-flags=--no-maglev --no-turbofan',
        // Without a GPU its process only passes frames on.
        '--in-process-gpu',
        '--disable-software-rasterizer',
        // No test may contact another host, and without these the browser looks for updates.
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
})
