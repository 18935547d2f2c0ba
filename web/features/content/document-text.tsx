/** The text of a document. The only place that sets HTML: the server's Markdown renderer has made it, without any HTML of the author. */
export const DocumentText = ({ html }: { html: string }) => (
  // oxlint-disable-next-line react/no-danger -- see above
  <div className="document" dangerouslySetInnerHTML={{ __html: html }} />
)
