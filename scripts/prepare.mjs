/*
 * Prepares this checkout: installs packages if the lockfile has changed; with `build`, builds if sources have changed;
 * with `browser`, installs a browser for the tests. npm calls it before start, dev, check and test.
 *
 * Plain JavaScript, because it runs on the machine's own Node, before the Node of the lockfile is installed.
 */
const major = Number(process.versions.node.split('.')[0])

if (major < 20) {
  process.stderr.write(
    `Node 20 or newer is required, but this is ${process.version}. Install it from https://nodejs.org.\n`,
  )
  process.exitCode = 1
} else {
  // A dynamic import, because an older Node would fail to parse a static one before it prints the message.
  void import('./prepare/prepare.mjs').then(({ prepare }) => prepare(process.argv.slice(2)))
}
