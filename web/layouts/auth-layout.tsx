import type { ReactNode } from 'react'
import motorcycle from '../../drawings/hero.svg'

/** Layout of the sign-in pages: the form, with the motorcycle beside it on wide screens. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page-width py-8 md:py-14">
      <div className="grid overflow-hidden rounded-card border border-line bg-surface lg:min-h-[34rem] lg:grid-cols-[26rem_1fr]">
        <div className="flex flex-col gap-6 p-6 xs:p-8 md:p-10 max-lg:mx-auto max-lg:w-full max-lg:max-w-form">
          <h1 className="torque-stripe font-display text-3xl font-bold">{title}</h1>
          {children}
          <noscript>
            <p className="font-semibold text-bad">
              You need JavaScript to log in. You can browse without it.
            </p>
          </noscript>
        </div>
        <div className="relative overflow-hidden bg-ink max-lg:hidden">
          <img
            src={motorcycle}
            alt=""
            width="900"
            height="520"
            // Not a part of the height, which grows with messages of the form.
            className="absolute top-20 left-[7%] h-[26rem] w-auto max-w-none"
          />
        </div>
      </div>
    </div>
  )
}
