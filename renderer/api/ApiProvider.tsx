import {QueryClientProvider} from '@tanstack/react-query'
import {createContext, useContext, type ReactNode} from 'react'

import type {Api} from './client.ts'

const ApiContext = createContext<Api | null>(null)

export function ApiProvider({api, children}: {api: Api; children: ReactNode}) {
	return (
		<ApiContext.Provider value={api}>
			<QueryClientProvider client={api.cache}>{children}</QueryClientProvider>
		</ApiContext.Provider>
	)
}

export function useApi(): Api {
	const api = useContext(ApiContext)
	if (api === null) throw new Error('There is no ApiProvider above this component.')
	return api
}
