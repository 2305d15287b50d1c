import {useQuery} from '@tanstack/react-query'
import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Workflow} from 'lucide-react'

import {needsSomebody} from '#shared/model/playbook.ts'
import {formatCount} from '#shared/text/numbers.ts'
import {useApi} from '../../api/ApiProvider.tsx'
import {navWords} from '../../kit/nav-words.ts'
import {NavCount} from '../../kit/NavCount.tsx'
import {inFrame, type Screen} from '../../kit/screen.ts'
import {useCalm} from '../../kit/use-calm.ts'
import {openRuns} from './open-runs.ts'
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

declare module '../../kit/screen.ts' {
	interface ScreenRoutes {
		readonly playbooks: typeof routes
	}
}

const everyMs = 15_000

/** How many runs wait for somebody. A run tells no page when it begins to. */
function Count() {
	const asked = useApi().queries.playbooks.runs.queryOptions({input: openRuns, enabled: useCalm(), refetchInterval: everyMs})
	const count = useQuery(asked).data?.rows.filter(needsSomebody).length ?? 0
	return <NavCount count={count} words={navWords.waiting(formatCount(count))} />
}
