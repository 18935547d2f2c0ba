import { useSettings } from '../../router/router.tsx'

const texts = {
  fitments:
    'Demo data: the fitments in this shop are invented. Do not use them to choose real parts. The make Hayashi is invented, too.',
  products: 'Demo data: the products in this shop are invented, and their pictures are drawings.',
}

interface NoticeProps {
  about?: keyof typeof texts
  className?: string
}

/** Shown on each page of the demo shop that says something about fitment, and to admins who manage its products. */
export function DemoNotice({ about = 'fitments', className = '' }: NoticeProps) {
  if (!useSettings().demo) return null
  return <p className={`max-w-text text-sm text-quiet ${className}`}>{texts[about]}</p>
}
