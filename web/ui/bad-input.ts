/**
 * Whether an input has text that the browser cannot read, such as a date without its time: its value is empty, so that it
 * would be saved as nothing. The browser names the problem at the first such input.
 */
export function refuseBadInput(form: HTMLFormElement | null): boolean {
  const inputs = [...(form?.querySelectorAll('input') ?? [])]
  const bad = inputs.find(({ validity }) => validity.badInput)
  bad?.reportValidity()
  return bad !== undefined
}
