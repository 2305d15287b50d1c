import type {BulkKind} from '#state/ui.tsx'
import type {KeyId} from '#ui/keys/key-map.ts'

export type PaletteAction =
	| {kind: 'overlay'; overlay: 'keys' | 'notices' | 'connection' | 'mode' | 'undo'}
	| {kind: 'bulk'; bulk: BulkKind}
	| {kind: 'drawer'}
	| {kind: 'open'; path: string}
	| {kind: 'key'; id: KeyId}
	| {kind: 'form'; command: string; values: Readonly<Record<string, string>>}
	| {kind: 'line'; line: string}

export interface PaletteItem {
	id: string
	section: 'Objects' | 'Search' | 'Recent' | 'Go to' | 'Actions' | 'Commands' | 'This screen'
	title: string
	detail: string
	keys?: string
	action: PaletteAction
}
