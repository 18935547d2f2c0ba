import { spawn } from 'node:child_process'
import path from 'node:path'
import { Failure } from './print.mjs'

/**
 * Runs npm, showing what it prints only where it fails, or where asked to.
 * @param {string} root
 * @param {string[]} args
 * @param {{ shown?: boolean, env?: NodeJS.ProcessEnv }} [options]
 * @throws {Failure} when it fails; what it printed is shown then
 */
export async function runNpm(root, args, { shown = false, env = {} } = {}) {
  const [program, first] = npmProgram()
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    env: { ...process.env, PATH: pathWithout(root), ...env },
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
    shell: process.platform === 'win32' && first.length === 0,
  })
  const printed = []
  child.stdout?.on('data', (chunk) => printed.push(chunk))
  child.stderr?.on('data', (chunk) => printed.push(chunk))
  const stop = passSignalsTo(child)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(stop)
  if (code === 0) return
  process.stderr.write(Buffer.concat(printed))
  throw new Failure(shown ? '' : `npm ${args.join(' ')} failed. Its output is above.`)
}

/** The npm that runs us, on the Node that runs it: the one in node_modules is about to be replaced. */
function npmProgram() {
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
