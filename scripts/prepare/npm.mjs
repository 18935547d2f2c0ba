import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Failure } from './steps.mjs'

/**
 * Runs npm. Prints its output only if it fails, or with `shown`.
 * @param {string} root
 * @param {string[]} args
 * @param {{ shown?: boolean, env?: NodeJS.ProcessEnv }} [options]
 * @throws {Failure} if npm fails
 */
export async function runNpm(root, args, { shown = false, env = {} } = {}) {
  const [program, first] = findNpm()
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    env: { ...process.env, PATH: pathWithout(root), ...env },
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  })
  const printed = []
  child.stdout?.on('data', (chunk) => printed.push(chunk))
  child.stderr?.on('data', (chunk) => printed.push(chunk))
  const stop = passSignalsTo(child)
  const [code] = await once(child, 'close').finally(stop)
  if (code === 0) return
  process.stderr.write(Buffer.concat(printed))
  throw new Failure(shown ? '' : `npm ${args.join(' ')} failed. Its output is above.`)
}

/** Returns the npm that runs this script and its Node, because the Node in node_modules may be replaced. */
function findNpm() {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  return node && npm && path.basename(npm).startsWith('npm') ? [node, [npm]] : ['npm', []]
}

function pathWithout(root) {
  const ours = path.join(root, 'node_modules', '.bin')
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.filter((folder) => path.resolve(folder) !== ours).join(path.delimiter)
}

function passSignalsTo(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const pass = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
  }
}
