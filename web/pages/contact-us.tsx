import { ShopMap } from '../features/contact/shop-map.tsx'
import { type PageHandle, pageMeta } from '../router/page.ts'
import { contactText } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const handle: PageHandle = { parameters: [], canonical: '/contact-us' }

export const meta = () => pageMeta('Contact Us', 'Our location and contact details.')

/** Map and feedback form. Its Submit button does nothing, as the specification requires. */
export default function ContactUs() {
  return (
    <div className="page-width">
      <PageHead title="Contact Us" />
      <div className="grid overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-[1fr_26rem]">
        <ShopMap className="h-64 xs:h-80 lg:h-auto" />
        <section aria-labelledby="feedback" className="p-6 md:p-10">
          <h2 id="feedback" className="font-display text-2xl font-bold">
            Feedback
          </h2>
          <p className="mt-2 text-quiet">{contactText}</p>
          <div className="mt-6 flex flex-col gap-4">
            <TextField label="Email" type="email" autoComplete="email" />
            <TextArea label="Message" rows={5} />
            <Button>Submit</Button>
          </div>
        </section>
      </div>
    </div>
  )
}
