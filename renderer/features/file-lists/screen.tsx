import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {FileX2} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {fileListSearchSchema, fileListsSearchSchema, hashSearchSchema, listEditorSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/file-lists',
		validateSearch: fileListsSearchSchema,
		component: lazyRouteComponent(() => import('./FileListsScreen.tsx'), 'FileListsScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/file-lists/$guid',
		validateSearch: fileListSearchSchema,
		component: lazyRouteComponent(() => import('./FileListScreen.tsx'), 'FileListScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/file-lists/hash/$sha256',
		validateSearch: hashSearchSchema,
		component: lazyRouteComponent(() => import('./HashScreen.tsx'), 'HashScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/file-lists/$guid/edit',
		validateSearch: listEditorSearchSchema,
		component: lazyRouteComponent(() => import('./editor/EditorScreen.tsx'), 'EditorScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/file-lists/$guid/$sha256',
		validateSearch: hashSearchSchema,
		component: lazyRouteComponent(() => import('./HashScreen.tsx'), 'ItemScreen'),
	}),
]

export const screen = {id: 'fileLists', Icon: FileX2, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly fileLists: typeof routes
	}
}
