import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Workflow} from 'lucide-react'

import {formatCount} from '#text/numbers.ts'
import {navWords} from '#kit/nav-words.ts'
import {NavCount} from '#kit/NavCount.tsx'
import {inFrame, type Screen} from '#kit/screen.ts'
import {useCalm} from '#kit/use-calm.ts'
import {useWaitingRuns} from './use-waiting-runs.ts'
import {playbookDocumentSearchSchema, playbooksSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/playbooks',
		validateSearch: playbooksSearchSchema,
		component: lazyRouteComponent(() => import('./PlaybooksScreen.tsx'), 'PlaybooksScreen'),
	}),
	createRoute({...inFrame, path: '/playbooks/$id', component: lazyRouteComponent(() => import('./RunScreen.tsx'), 'RunScreen')}),
	createRoute({
		...inFrame,
		path: '/playbooks/document/$playbook',
		validateSearch: playbookDocumentSearchSchema,
		component: lazyRouteComponent(() => import('./editor/EditorScreen.tsx'), 'EditorScreen'),
	}),
]

export const screen = {id: 'playbooks', Icon: Workflow, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly playbooks: typeof routes
	}
}

const everyMs = 15_000

/** How many runs wait for somebody. */
function Count() {
	const count = useWaitingRuns(everyMs, useCalm()).length
	return <NavCount count={count} words={navWords.waiting(formatCount(count))} />
}
