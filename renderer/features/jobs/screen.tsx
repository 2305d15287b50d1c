import {Layers} from 'lucide-react'
import {z} from 'zod'

import {useActiveFrame} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {navWords} from '#kit/nav-words.ts'
import {targetOutcomes} from '#model/job.ts'
import {searchOf} from '#kit/search-of.ts'

const jobsSearchSchema = searchOf({act: z.enum(['import'])})

const jobSearchSchema = searchOf({outcomes: z.array(z.enum(targetOutcomes)), search: z.string().max(200)})

const routes = [
	pageAt('/jobs', () => import('./JobsScreen.tsx'), 'JobsScreen', jobsSearchSchema),
	pageAt('/jobs/$id', () => import('./JobScreen.tsx'), 'JobScreen', jobSearchSchema)
]

export const screen = {id: 'jobs', Icon: Layers, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly jobs: typeof routes
	}
}

function Count() {
	const {running, interrupted} = useActiveFrame()?.jobs ?? {running: 0, interrupted: 0}
	return <NavCount count={running} {...(interrupted > 0 && {warning: navWords.interrupted(interrupted)})} />
}
