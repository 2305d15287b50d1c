import {createContext, useContext} from 'react'

/** Whether single letters are keys. A person who uses a screen reader can switch them off. */
const SingleKeysContext = createContext(true)

export const SingleKeysProvider = SingleKeysContext.Provider

export function useSingleKeys(): boolean {
	return useContext(SingleKeysContext)
}
