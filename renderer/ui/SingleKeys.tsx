import {createContext, useContext} from 'react'

/** Whether single-letter shortcuts are enabled. Operators with a screen reader can disable them. */
const SingleKeysContext = createContext(true)

export const SingleKeysProvider = SingleKeysContext.Provider

export function useSingleKeys() {
	return useContext(SingleKeysContext)
}
