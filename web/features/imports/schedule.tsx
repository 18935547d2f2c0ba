import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { formatMoment } from '../../../contract/dates.ts'
import type { ProductImport } from '../../../contract/imports.ts'
import { call, readMessage } from '../../api.ts'
import { latestTime } from '../../day-range.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusMainIfLost } from '../../ui/lost-focus.ts'
import { toRun } from './to-run.ts'

/** When a checked file is imported, with a button that cancels it. */
export function ScheduledRun({ productImport: { id, state, runAt } }: { productImport: ProductImport }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call('cancelImport', { params: { id } }),
    // The pressed button disappears.
    onSuccess: () => focusMainIfLost(),
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
  if (state !== 'checked' || !runAt) return null
  return (
    <div className="flex w-full flex-col items-start gap-3 rounded-card border border-line bg-surface p-4">
      {cancel.isError && <Alert>{readMessage(cancel.error)}</Alert>}
      <p>
        This file is imported on <time dateTime={runAt}>{formatMoment(runAt)}</time>. It is checked again
        before. New errors or large changes stop the import, and Today shows it.
      </p>
      <BusyButton variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the time
      </BusyButton>
    </div>
  )
}

/** Form for the time of an import. The default is 03:00 on the next day. */
export function ScheduleForm({ productImport, hosts }: { productImport: ProductImport; hosts: string[] }) {
  const { id } = productImport
  const client = useQueryClient()
  const [time, setTime] = useState(nextNight)
  const schedule = useMutation({
    mutationFn: () => call('runImport', toRun(productImport, hosts, new Date(time))),
    // The pressed button disappears.
    onSuccess: () => focusMainIfLost(),
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    schedule.mutate()
  }
  return (
    <details className="w-full">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold text-signal underline">
        Import later
      </summary>
      <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-3">
        {schedule.isError && <Alert>{readMessage(schedule.error)}</Alert>}
        <TextField
          label="Time, within 7 days"
          type="datetime-local"
          max={latestTime}
          required
          value={time}
          onChange={({ target }) => setTime(target.value)}
        />
        <BusyButton type="submit" variant="quiet" busy={schedule.isPending}>
          Import at this time
        </BusyButton>
      </form>
    </details>
  )
}

/** Returns 03:00 of the next day as a value of the field, in the time zone of the browser. */
function nextNight(): string {
  const night = new Date()
  night.setDate(night.getDate() + 1)
  const date = [night.getFullYear(), night.getMonth() + 1, night.getDate()]
  return `${date.map((part) => String(part).padStart(2, '0')).join('-')}T03:00`
}
