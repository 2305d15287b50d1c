import {FileX2} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {fileListSearchSchema, fileListsSearchSchema, hashSearchSchema, listEditorSearchSchema} from './search.ts'

const routes = [
	pageAt('/file-lists', () => import('./FileListsScreen.tsx'), 'FileListsScreen', fileListsSearchSchema),
	pageAt('/file-lists/$guid', () => import('./FileListScreen.tsx'), 'FileListScreen', fileListSearchSchema),
	pageAt('/file-lists/hash/$sha256', () => import('./HashScreen.tsx'), 'HashScreen', hashSearchSchema),
	pageAt('/file-lists/$guid/edit', () => import('./editor/EditorScreen.tsx'), 'EditorScreen', listEditorSearchSchema),
	pageAt('/file-lists/$guid/$sha256', () => import('./HashScreen.tsx'), 'ItemScreen', hashSearchSchema)
]

export const screen = {id: 'fileLists', Icon: FileX2, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly fileLists: typeof routes
	}
}
