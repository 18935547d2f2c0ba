import { useRef, useState } from 'react'
import { nameItem } from '../../../contract/item-names.ts'
import { call, readMessage } from '../../api.ts'
import { ScanForm } from '../../ui/scan-form.tsx'
import { ScanStatus, useScanMessage } from '../../ui/scan-status.tsx'
import { FindItem } from './find-item.tsx'

/** One field that adds items: by a scan, or by words, which open a search. */
export function AddItem({ onAdd }: { onAdd: (variantId: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [message, say] = useScanMessage('Scan an item, or type its name or part number.')
  const [waiting, setWaiting] = useState(0)
  const [finding, setFinding] = useState<string | null>(null)

  const add = (variantId: string, name: string) => {
    onAdd(variantId)
    say('good', `Added: ${name}`)
  }
  const lookUp = async (code: string) => {
    if (code === '') return
    setWaiting((count) => count + 1)
    try {
      const { variants } = await call('scan', { query: { code } })
      const [variant, ...others] = variants
      if (variant && others.length === 0) add(variant.variantId, nameItem(variant))
      else setFinding(code)
    } catch (error) {
      // The code is not lost.
      if (field.current?.value === '') field.current.value = code
      say('bad', readMessage(error))
    } finally {
      setWaiting((count) => count - 1)
    }
  }
  return (
    <>
      <ScanForm
        field={field}
        label="Add an item"
        hint="By bar code, part number or name."
        maxLength={100}
        isBusy={waiting > 0}
        onScan={(code) => void lookUp(code)}
      />
      <ScanStatus message={message} />
      {finding !== null && (
        <FindItem
          title="Add an item"
          text={finding}
          isSold
          onChosen={({ variantId, name }) => {
            setFinding(null)
            add(variantId, name)
          }}
          onClose={() => setFinding(null)}
        />
      )}
    </>
  )
}
