/*
 * Makes this checkout ready: installs from the lockfile where needed; with `build`, builds where sources changed;
 * with `browser`, sees that there is one for the tests. Called by npm before start, dev, check and test.
 *
 * Plain JavaScript, because it runs on the machine's own Node, before the one that the lockfile brings is there.
 */
const major = Number(process.versions.node.split('.')[0])

if (major < 20) {
  process.stderr.write(
    `Node 20 or newer is required, but this is ${process.version}. Install it from https://nodejs.org.\n`,
  )
  process.exitCode = 1
} else {
  // Not a static import: an older Node would fail to parse it before it could say so.
  void import('./prepare/prepare.mjs').then(({ prepare }) => prepare(process.argv.slice(2)))
}
