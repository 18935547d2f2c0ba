import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useState } from 'react'
import type { EmailDraft } from '../../../contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { emailPreviewQuery } from './queries.ts'
import { explainFailure, SendTest } from './send-test.tsx'

const pauseMs = 400

/** An email with the values of an example, rendered by the server after a pause of typing; and a button that sends it. */
export function EmailPreview({ draft }: { draft: EmailDraft }) {
  const [rendered, setRendered] = useState(draft)
  const [isText, setText] = useState(false)
  const json = JSON.stringify(draft)
  useEffect(() => {
    const timer = setTimeout(() => setRendered(JSON.parse(json) as EmailDraft), pauseMs)
    return () => clearTimeout(timer)
  }, [json])
  const preview = useQuery(emailPreviewQuery(rendered))
  const { data, error } = preview
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          variant={isText ? 'quiet' : 'ink'}
          size="small"
          aria-pressed={!isText}
          onClick={() => setText(false)}
        >
          HTML
        </Button>
        <Button
          variant={isText ? 'ink' : 'quiet'}
          size="small"
          aria-pressed={isText}
          onClick={() => setText(true)}
        >
          Text
        </Button>
        <SendTest draft={draft} label="Send to me" />
      </div>
      {error && (
        <p role="alert" className="font-semibold text-bad wrap-anywhere">
          {explainFailure(error)}
        </p>
      )}
      {data && (
        <>
          <p className="wrap-anywhere">
            <span className="text-sm text-quiet">Subject</span>
            <span className="block font-semibold">{data.subject}</span>
          </p>
          {isText ? (
            <pre className="overflow-x-auto rounded-card border border-line bg-surface p-4 font-text text-sm whitespace-pre-wrap wrap-anywhere">
              {data.text}
            </pre>
          ) : (
            <iframe
              title="Email as HTML"
              srcDoc={toInert(data.html)}
              sandbox="allow-same-origin"
              onLoad={paint}
              className="h-96 w-full rounded-card border border-line bg-surface"
            />
          )}
        </>
      )}
    </>
  )
}

/** The policy of the page applies to the frame: it allows no style in markup. Links of an example lead nowhere. */
const toInert = (html: string): string =>
  html
    .replace(/<style>[^<]*<\/style>/, '')
    .replaceAll(' style="', ' data-style="')
    .replaceAll(' href="', ' data-href="')

/** Sets the styles by script, which the policy does not limit, and the height of the frame. */
function paint({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>): void {
  const { contentDocument: document } = frame
  if (!document) return
  for (const element of document.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style'] ?? ''
  frame.style.height = `${document.documentElement.scrollHeight + 2}px`
}
