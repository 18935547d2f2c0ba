import { expect, test } from 'vitest'
import { indexFiles } from './assets.ts'

const manifest = {
  'web/start.tsx': { file: 'assets/start.js', imports: ['_shared.js'], css: ['assets/start.css'] },
  'web/pages/frame.tsx': { file: 'assets/frame.js', imports: ['_shared.js', '_form.js'] },
  'web/pages/list.tsx': { file: 'assets/list.js', imports: ['_form.js'], css: ['assets/start.css'] },
  'web/pages/other.tsx': { file: 'assets/other.js' },
  '_shared.js': { file: 'assets/shared.js', imports: ['_round.js'] },
  '_form.js': { file: 'assets/form.js', css: ['assets/form.css'] },
  '_round.js': { file: 'assets/round.js', imports: ['_shared.js'] },
}
const files = indexFiles(manifest, 'web/start.tsx')

test('a page has the entry, its modules and all their imports, each once', () => {
  expect(files(['frame', 'list'])).toEqual({
    entry: '/assets/start.js',
    scripts: ['shared', 'round', 'frame', 'form', 'list'].map((name) => `/assets/${name}.js`),
    styles: ['/assets/start.css', '/assets/form.css'],
  })
})

test('an error page has only the entry', () => {
  expect(files([]).scripts).toEqual(['/assets/shared.js', '/assets/round.js'])
})

test('a page that is not built is an error with its name', () => {
  expect(() => files(['missing'])).toThrow('web/pages/missing.tsx is not built.')
})
