import {createContext, useContext} from 'react'

import type {Settings} from '#model/settings.ts'

/** Height of a table's row in pixels, as `--row` in the stylesheet. */
const usualRowHeight = 28

const RowHeightContext = createContext(usualRowHeight)

export const RowHeightProvider = RowHeightContext.Provider

export function useRowHeight() {
	return useContext(RowHeightContext)
}

const byDensity = {compact: 24, normal: usualRowHeight, roomy: 36} as const
const bySize = {small: 0, normal: 0, large: 2, largest: 6} as const

/** Larger fonts need more height than the density gives. */
export function rowHeightOf({density, fontSize}: Pick<Settings, 'density' | 'fontSize'>) {
	return byDensity[density] + bySize[fontSize]
}
