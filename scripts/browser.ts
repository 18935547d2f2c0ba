import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The usual paths of Chromium and Chrome, in order of preference. CHROME_PATH overrides them. */
const usualPaths = [
  // Needs two thirds of the time that the whole browser takes.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Options for each start. Without the last one, glyphs in the headless shell have other widths than on a phone. */
export const browserArgs = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

/** Returns the path of a browser that starts on this machine, or null. */
export function findBrowser(): string | null {
  const chromePath = process.env.CHROME_PATH
  const candidates = chromePath ? [chromePath] : [...usualPaths, chromium.executablePath()]
  return candidates.find((path) => existsSync(path) && starts(path)) ?? null
}

/** Some systems have a stub that only prints install instructions. */
const starts = (path: string): boolean => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0

/** Installs Chromium from the system's packages, or else by Playwright. */
function installBrowser(): void {
  const isRoot = process.getuid?.() === 0
  process.stdout.write('Installing Chromium for the browser tests; this takes a minute or two …\n')
  if (isRoot && isDebian()) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
  }
  if (!findBrowser()) run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
}

/** Excludes Ubuntu, whose `chromium` package contains no browser. */
function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Runs a program. Prints its output only if it fails. */
function run(program: string, args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (status !== 0)
    process.stderr.write(`${program} ${args.join(' ')}\n${error?.message ?? stdout + stderr}\n`)
}

function requireBrowser(): void {
  if (findBrowser()) return
  const chromePath = process.env.CHROME_PATH
  if (chromePath) return fail(`CHROME_PATH is ${chromePath}, which does not start. Correct or remove it.`)
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
