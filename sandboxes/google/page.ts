import { escapeHtml } from '../../server/platform/http/html.ts'
import type { SandboxPerson } from './codes.ts'

export interface SandboxPage {
  /** URL that the chosen account is posted to. */
  action: string
  /** URL of the cancel link. */
  cancel: string
  stylesheet: string
  accounts: readonly SandboxPerson[]
  /** The rejected input and its error message. */
  typed?: SandboxPerson & { problem: string }
}

/** Replaces Google's account chooser. Uses no script and escapes all values. */
export function renderSandboxPage({ action, cancel, stylesheet, accounts, typed }: SandboxPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox: this is not Google</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(stylesheet)}">
</head>
<body>
<main>
<p class="label">Sandbox: this is not Google</p>
<h1>Choose an account</h1>
<p>This shop has no Google keys. Log in with a test account. No password is needed and no data leaves the shop.</p>
<ul>
${accounts.map((account) => `<li>${renderAccount(account, action)}</li>`).join('\n')}
</ul>
<form method="post" action="${escapeHtml(action)}">
<h2>Use another account</h2>
${typed ? `<p role="alert">${escapeHtml(typed.problem)}</p>` : ''}
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${escapeHtml(typed?.email ?? '')}">
<label for="name">Name</label>
<input id="name" name="name" required maxlength="120" autocomplete="off" value="${escapeHtml(typed?.name ?? '')}">
<button type="submit" class="primary">Continue</button>
</form>
<p><a href="${escapeHtml(cancel)}">Cancel</a></p>
</main>
</body>
</html>
`
}

function renderAccount({ email, name }: SandboxPerson, action: string): string {
  return `<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="email" value="${escapeHtml(email)}">
<input type="hidden" name="name" value="${escapeHtml(name)}">
<button type="submit"><strong>${escapeHtml(name)}</strong> <span>${escapeHtml(email)}</span></button>
</form>`
}
