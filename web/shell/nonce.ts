import { createContext } from 'react'

/** Marks our own inline scripts while the server renders; the browser never sees it. */
export const Nonce = createContext<string | undefined>(undefined)
