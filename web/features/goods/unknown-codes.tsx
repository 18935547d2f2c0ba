import { useState } from 'react'
import { gtin } from '../../../contract/fields.ts'
import { nameItem } from '../../../contract/item-names.ts'
import { call, callForVersion, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { FindItem, type FoundItem } from './find-item.tsx'
import type { ScannedVariant, UnknownCode } from './scan-list.ts'

interface UnknownCodesProps {
  codes: UnknownCode[]
  onFound: (code: string, variant: ScannedVariant) => void
  onRemove: (code: string) => void
}

/** Scanned codes of no item, or of several, each with a way to find its item. */
export function UnknownCodes({ codes, onFound, onRemove }: UnknownCodesProps) {
  const [finding, setFinding] = useState('')
  const [failure, setFailure] = useState('')
  if (codes.length === 0) return null

  const choose = async (code: string, item: FoundItem) => {
    setFinding('')
    setFailure('')
    try {
      onFound(code, await readVariant(code, item))
    } catch (error) {
      setFailure(`${code}: ${readMessage(error)}`)
    }
  }
  return (
    <section aria-labelledby="unknown-codes" className="mt-8">
      <h2 id="unknown-codes" className="font-display text-2xl font-bold">
        Unknown codes
      </h2>
      <p className="mb-3 text-quiet">They are not booked until you find their product.</p>
      {failure && <Alert>{failure}</Alert>}
      <ul className="divide-y divide-line border-y border-line">
        {codes.map(({ code, pieces, variants }) => (
          <li key={code} className="flex flex-wrap items-center gap-3 py-3">
            <span className="min-w-32 grow font-semibold break-all">
              {code} <span className="font-normal text-quiet tabular-nums">× {pieces}</span>
            </span>
            {variants.map((variant) => (
              <Button
                key={variant.variantId}
                variant="quiet"
                size="small"
                onClick={() => onFound(code, variant)}
              >
                {nameItem(variant)}
              </Button>
            ))}
            <Button
              variant="ink"
              size="small"
              aria-label={`Find product of ${code}`}
              onClick={() => setFinding(code)}
            >
              Find product
            </Button>
            <Button variant="quiet" size="small" aria-label={`Remove ${code}`} onClick={() => onRemove(code)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {finding && (
        <FindItem
          title={`Find product of ${finding}`}
          note={isGtin(finding) ? 'If the product has no GTIN yet, it gets this one.' : ''}
          onChosen={(item) => void choose(finding, item)}
          onClose={() => setFinding('')}
        />
      )}
    </section>
  )
}

const isGtin = (code: string): boolean => code !== '' && gtin.safeParse(code).success

/** Returns a chosen item as a scan does, after its GTIN is set if it has none. */
async function readVariant(code: string, { product, variantId }: FoundItem): Promise<ScannedVariant> {
  if (isGtin(code)) await setMissingGtin(product._id, variantId, code)
  const { variants } = await call('scan', { query: { code: variantId } })
  const variant = variants.find((each) => each.variantId === variantId)
  if (!variant) throw new Error('the chosen item was removed')
  return variant
}

async function setMissingGtin(productId: string, variantId: string, code: string): Promise<void> {
  const { value, etag } = await callForVersion('listVariants', { params: { id: productId } })
  const listed = value.variants.filter(({ removed }) => !removed)
  if (listed.find(({ id }) => id === variantId)?.gtin !== undefined) return
  const variants = listed.map(({ quantity: _stock, removed: _removed, ...variant }) =>
    variant.id === variantId ? { ...variant, gtin: code } : variant,
  )
  const body = { options: value.options, variants }
  await call('saveVariants', { params: { id: productId }, headers: { 'if-match': etag }, body })
}
