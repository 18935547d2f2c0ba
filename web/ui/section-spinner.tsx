import { PartSpinner } from './spinner.tsx'

/** Placeholder of a loading section. It is as high as the screen, so that what follows does not move into view. */
export const SectionSpinner = () => (
  <div className="min-h-svh animate-late pt-8">
    <PartSpinner />
  </div>
)
