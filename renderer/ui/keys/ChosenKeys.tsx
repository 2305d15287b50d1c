import {createContext, useContext} from 'react'

import {keysOf, type ChosenKeys} from './chosen-keys.ts'
import type {KeyId} from './key-map.ts'

const nothing: ChosenKeys = {}
const ChosenKeysContext = createContext<ChosenKeys>(nothing)

export const ChosenKeysProvider = ChosenKeysContext.Provider

export function useChosenKeys(): ChosenKeys {
	return useContext(ChosenKeysContext)
}

export function useKeysOf(): (id: KeyId) => readonly string[] {
	const chosen = useChosenKeys()
	return id => keysOf(id, chosen)
}
