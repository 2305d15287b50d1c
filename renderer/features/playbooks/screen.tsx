import {Workflow} from 'lucide-react'

import {formatCount} from '#text/numbers.ts'
import {navWords} from '#kit/nav-words.ts'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {useCalm} from '#kit/use-calm.ts'
import {useWaitingRuns} from './use-waiting-runs.ts'
import {playbookDocumentSearchSchema, playbooksSearchSchema} from './search.ts'

const routes = [
	pageAt('/playbooks', () => import('./PlaybooksScreen.tsx'), 'PlaybooksScreen', playbooksSearchSchema),
	pageAt('/playbooks/document/$playbook', () => import('./editor/EditorScreen.tsx'), 'EditorScreen', playbookDocumentSearchSchema),
	pageAt('/playbooks/$id', () => import('./RunScreen.tsx'), 'RunScreen')
]

export const screen = {id: 'playbooks', Icon: Workflow, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly playbooks: typeof routes
	}
}

const everyMs = 15_000

function Count() {
	const count = useWaitingRuns(everyMs, useCalm()).length
	return <NavCount count={count} words={navWords.waiting(formatCount(count))} />
}
