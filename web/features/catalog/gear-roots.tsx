import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import type { Product } from '../../../contract/catalog.ts'
import { readText } from '../../local-storage.ts'
import type { Section } from './gear-section.tsx'
import { SafetySection, SizeChartSection } from './gear-tables.tsx'

const sections = { SizeChartSection, SafetySection }

/** Makes the HTML of a section interactive, or renders it if there is none. */
export function mountSection(shell: HTMLElement, section: Section, product: Product): Root {
  const Component = sections[section]
  // The rider may have switched the unit before this code was loaded.
  const switched = shell.querySelector<HTMLInputElement>('[name=unit]:checked:not([checked])')
  const unit = switched?.value ?? readText('unit')
  const content = (
    <Component product={product} initialUnit={unit === 'cm' || unit === 'in' ? unit : undefined} />
  )
  if (!shell.hasChildNodes()) {
    const root = createRoot(shell)
    root.render(content)
    return root
  }
  return hydrateRoot(shell, content)
}
