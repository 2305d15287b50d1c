import {createRoute} from '@tanstack/react-router'
import {FileX2} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {fileListSearchSchema, fileListsSearchSchema, hashSearchSchema, listEditorSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...pageAt('/file-lists', () => import('./FileListsScreen.tsx'), 'FileListsScreen'),
		validateSearch: fileListsSearchSchema,
	}),
	createRoute({
		...pageAt('/file-lists/$guid', () => import('./FileListScreen.tsx'), 'FileListScreen'),
		validateSearch: fileListSearchSchema,
	}),
	createRoute({
		...pageAt('/file-lists/hash/$sha256', () => import('./HashScreen.tsx'), 'HashScreen'),
		validateSearch: hashSearchSchema,
	}),
	createRoute({
		...pageAt('/file-lists/$guid/edit', () => import('./editor/EditorScreen.tsx'), 'EditorScreen'),
		validateSearch: listEditorSearchSchema,
	}),
	createRoute({
		...pageAt('/file-lists/$guid/$sha256', () => import('./HashScreen.tsx'), 'ItemScreen'),
		validateSearch: hashSearchSchema,
	}),
]

export const screen = {id: 'fileLists', Icon: FileX2, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly fileLists: typeof routes
	}
}
