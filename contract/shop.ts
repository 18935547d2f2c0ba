/** Colours for places that cannot use the CSS variables of `web/app.css`: email, card field, browser bar. */
export const brandColors = {
  ink: '#15171b',
  'ink-raised': '#23262c',
  'ink-line': '#3a3f48',
  'ink-quiet': '#a9afb9',
  paper: '#f7f6f3',
  surface: '#ffffff',
  quiet: '#5b616b',
  line: '#dedbd3',
  signal: '#b93a0a',
  'signal-bright': '#ff6a1a',
  shade: '#efede7',
  good: '#1f7a43',
  'good-wash': '#e6f2ea',
  bad: '#b42318',
  'bad-wash': '#fbeae8',
  wait: '#8a5a00',
  'wait-wash': '#f9f0dc',
} as const

/** Origin of the map iframe on the contact page. The Content-Security-Policy allows it. */
export const mapHost = 'https://www.openstreetmap.org'
