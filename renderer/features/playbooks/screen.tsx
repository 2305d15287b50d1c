import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Workflow} from 'lucide-react'

import {inFrame, type Screen} from '../../kit/screen.ts'
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

export const screen = {id: 'playbooks', Icon: Workflow, routes} satisfies Screen

declare module '../../kit/screen.ts' {
	interface ScreenRoutes {
		readonly playbooks: typeof routes
	}
}
