import type {BulkKind} from '#state/ui.tsx'
import type {KeyId} from '#ui/keys/key-map.ts'

export type PaletteAction =
	| {readonly kind: 'overlay'; readonly overlay: 'keys' | 'notices' | 'connection' | 'mode' | 'undo'}
	| {readonly kind: 'bulk'; readonly bulk: BulkKind}
	| {readonly kind: 'drawer'}
	/** An address of the page. */
	| {readonly kind: 'open'; readonly path: string}
	| {readonly kind: 'key'; readonly id: KeyId}
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
