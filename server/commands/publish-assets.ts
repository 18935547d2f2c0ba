import { builtAssets } from '../config/config.ts'
import { StartupError } from '../platform/errors.ts'
import { publishFiles } from '../platform/publish-files.ts'
import { runCommand } from './run-command.ts'

/** Browsers may have pages of the present and the previous version, and of a later one after a rollback. */
const maxBuilds = 3

/** `npm run publish-assets`: copies the files of this build into ASSETS_DIR, before its first process starts. */
await runCommand(async ({ config: { assetsDir } }) => {
  if (assetsDir === builtAssets) {
    throw new StartupError('Set ASSETS_DIR to a folder that all processes of the shop can read.')
  }
  const { added, removed } = publishFiles(builtAssets, assetsDir, maxBuilds)
  process.stdout.write(
    `Published to ${assetsDir}: ${added} files added, ${removed} of older builds removed.\n`,
  )
})
