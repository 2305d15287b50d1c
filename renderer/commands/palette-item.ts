import type {ScreenLine} from '#model/screens.ts'
import type {SavedView} from '#model/saved-view.ts'

import type {BulkKind} from '#state/ui.tsx'
import type {KeyId} from '#ui/keys/key-map.ts'

export type PaletteAction =
	| {readonly kind: 'go'; readonly to: ScreenLine['path']}
	| {readonly kind: 'instances'; readonly act: 'add' | 'certificate' | 'reach'}
	| {readonly kind: 'instance'; readonly id: string}
	| {readonly kind: 'overlay'; readonly overlay: 'keys' | 'notices' | 'connection' | 'mode' | 'undo'}
	| {readonly kind: 'bulk'; readonly bulk: BulkKind}
	| {readonly kind: 'drawer'}
	| {readonly kind: 'addConnection'}
	| {readonly kind: 'importConnections'}
	| {readonly kind: 'log'; readonly act: 'verify'}
	| {readonly kind: 'settings'; readonly section: 'data' | 'diagnostics'}
	| {readonly kind: 'open'; readonly path: string}
	| {readonly kind: 'filter'; readonly filter: string}
	| {readonly kind: 'view'; readonly view: SavedView}
	| {readonly kind: 'key'; readonly id: KeyId}
	| {readonly kind: 'computer'; readonly guid: string}
	| {readonly kind: 'form'; readonly command: string; readonly values: Readonly<Record<string, string>>}
	| {readonly kind: 'line'; readonly line: string}

export interface PaletteItem {
	readonly id: string
	readonly section: 'Objects' | 'Search' | 'Recent' | 'Go to' | 'Actions' | 'Commands' | 'This screen'
	readonly title: string
	readonly detail: string
	/** The shortcut that does the same. */
	readonly keys?: string
	readonly action: PaletteAction
}
