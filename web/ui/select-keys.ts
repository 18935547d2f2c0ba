import { type KeyboardEvent, useRef } from 'react'

/**
 * Whether a select is used by keyboard. On Windows and Linux each arrow key in a closed select is a change, so a choice by
 * keyboard ends with Enter, and one by pointer at once.
 *
 * @returns `keyProps` for the select
 */
export function useSelectKeys(onEnter: (event: KeyboardEvent) => void) {
  const isByKeyboard = useRef(false)
  const keyProps = {
    onPointerDown: () => {
      isByKeyboard.current = false
    },
    onKeyDown: (event: KeyboardEvent) => {
      isByKeyboard.current = true
      if (event.key === 'Enter') onEnter(event)
    },
  }
  return { isByKeyboard, keyProps }
}
