import {Activity} from 'lucide-react'
import {z} from 'zod'

import {counted} from '#text/numbers.ts'
import {useActiveConnectionOrNull, useAsked} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {useCalm} from '#kit/use-calm.ts'
import {pageAt, type Screen} from '#kit/screen.ts'
import {navWords} from '#kit/nav-words.ts'
import {searchOf} from '#kit/search-of.ts'

const overviewSearchSchema = searchOf({
	/** Period of the event chart. Default: 24 hours. */
	span: z.enum(['24h', '7d']),
	/** The selected part, ISO 8601. */
	from: z.iso.datetime(),
	to: z.iso.datetime()
})

const routes = [pageAt('/overview', () => import('./OverviewScreen.tsx'), 'OverviewScreen', overviewSearchSchema)]

export const screen = {id: 'overview', Icon: Activity, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly overview: typeof routes
	}
}

/** Counts after the start: counts over everything must not delay the first rows. */
function Count() {
	const connection = useActiveConnectionOrNull()?.id ?? null
	const isCalm = useCalm()
	const {data} = useAsked(q => q.overview, {input: {connection: connection ?? ''}, enabled: connection !== null && isCalm})
	const count = data?.attention.length ?? 0
	return <NavCount count={count} words={navWords.attention(counted(count, ['line needs', 'lines need']))} />
}
