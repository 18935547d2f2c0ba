import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { makeFolder } from './data-folder.ts'

/** The files of each build in the folder, the newest build last. */
const recordName = '.builds.json'

/**
 * Copies the files of a build into a folder that keeps the last builds, and deletes the files of older ones. Names
 * contain a content hash, so an existing file is the same. Other files in the folder are not touched.
 */
export function publishFiles(
  source: string,
  target: string,
  maxBuilds: number,
): { added: number; removed: number } {
  makeFolder(target)
  const files = readdirSync(source)
  const added = files.filter((name) => !existsSync(path.join(target, name)))
  for (const name of added) {
    const draft = path.join(target, `.${name}.${process.pid}`)
    copyFileSync(path.join(source, name), draft)
    renameSync(draft, path.join(target, name)) // A process never serves half of a file.
  }
  const builds = [...readRecord(target).filter((build) => String(build) !== String(files)), files]
  const latest = builds.slice(-maxBuilds)
  const record = path.join(target, recordName)
  writeFileSync(`${record}.${process.pid}`, JSON.stringify(latest))
  renameSync(`${record}.${process.pid}`, record)
  const current = new Set(latest.flat())
  const old = [...new Set(builds.flat())].filter((name) => !current.has(name))
  for (const name of old) rmSync(path.join(target, name), { force: true })
  return { added: added.length, removed: old.length }
}

function readRecord(folder: string): string[][] {
  const file = path.join(folder, recordName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[][]) : []
}
