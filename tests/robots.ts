/**
 * Whether crawlers that follow RFC 9309 may request a path. The longest rule that matches it applies, and
 * `Allow` if it is as long as a `Disallow`.
 */
export function isCrawled(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, type, rule = '']) => ({
    isAllowed: type === 'Allow',
    rule,
  }))
  const [applied] = rules
    .filter(({ rule }) => toPattern(rule).test(path))
    .toSorted((a, b) => b.rule.length - a.rule.length || Number(b.isAllowed) - Number(a.isAllowed))
  return applied?.isAllowed ?? true
}

/** A rule is a prefix, in which `*` is any text, and `$` at its end is the end of the path. */
function toPattern(rule: string): RegExp {
  const start = rule.replace(/\$$/, '').split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${start}${rule.endsWith('$') ? '$' : ''}`)
}
