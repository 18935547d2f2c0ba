import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Where systems keep a Chromium, in the order of preference; CHROME_PATH names another. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]

/** The program of a Chromium that starts on this machine; null if there is none. */
export function findBrowser(): string | null {
  const named = process.env.CHROME_PATH
  const candidates = named ? [named] : [...places, chromium.executablePath()]
  return candidates.find((place) => existsSync(place) && starts(place)) ?? null
}

/** Some systems have a stand-in that only says where to get the real one. Windows' opens a window when asked. */
function starts(place: string): boolean {
  return process.platform === 'win32' || spawnSync(place, ['--version'], { stdio: 'ignore' }).status === 0
}

/** Installs a Chromium by the system's packages or, where that can't be, by Playwright's download. */
function installBrowser(): void {
  const isRoot = process.getuid?.() === 0
  process.stdout.write('Installing Chromium for the browser tests; this takes a minute or two …\n')
  if (isRoot && isDebian()) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  }
  if (!findBrowser()) run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
}

/** Not Ubuntu, whose package of that name is an empty one. */
function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Runs quietly; what it says is shown where it fails. */
function run(program: string, args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0)
    process.stderr.write(`${program} ${args.join(' ')}\n${error?.message ?? stdout + stderr}\n`)
}

function requireBrowser(): void {
  if (findBrowser()) return
  const named = process.env.CHROME_PATH
  if (named) return fail(`CHROME_PATH is ${named}, which does not start. Correct or remove it.`)
  installBrowser()
  if (findBrowser()) return
  fail(
    'The browser tests need Chromium, which could not be installed. Install Chromium or Chrome, or set CHROME_PATH, then run npm test again.',
  )
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

if (import.meta.main) requireBrowser()
