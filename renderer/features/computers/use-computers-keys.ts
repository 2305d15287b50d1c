import {useAnnounce} from '../../ui/Announcer.tsx'
import {useCopy} from '../../ui/CopyButton.tsx'
import {useKey} from '../../ui/keys/KeyRegistry.tsx'

interface ComputersKeys {
	focusFilter(): void
	/** GUID under the cursor. */
	current(): string | undefined
	/** Opens a computer's screen with a dialog; a key sends nothing. */
	act(guid: string, act: 'isolate' | 'release' | 'trajectory'): void
	/** Opens a dialog about a computer on this screen. */
	ask(guid: string, what: 'copy' | 'note' | 'move'): void
	/** Opens the dialog of a bulk change. */
	bulk(kind: 'isolate' | 'release' | 'move'): void
	/** Tags and roles of the selection, or of the computer at the cursor. */
	label(): void
	duplicates(guid: string): void
	toggleFacets(): void
	exportRows(): void
	focusSelection(): void
	hasSelection: boolean
	/** Whether part of the selection is visible. */
	actsOnSelection(): boolean
	/** Announced when no computer is at the cursor. */
	moveFirst(): string
}

/** Keyboard shortcuts of the computers screen. */
export function useComputersKeys(keys: ComputersKeys): void {
	const announce = useAnnounce()
	const onCurrent = (what: (guid: string) => void) => () => {
		const guid = keys.current()
		if (guid === undefined) announce(keys.moveFirst())
		else what(guid)
	}
	const copy = useCopy()
	useKey('list.filter', keys.focusFilter)
	const act = (what: Parameters<ComputersKeys['act']>[1]) => onCurrent(guid => keys.act(guid, what))
	const ask = (what: Parameters<ComputersKeys['ask']>[1]) => onCurrent(guid => keys.ask(guid, what))
	/** With a visible selection the key applies to it; otherwise to the computer at the cursor. */
	const orBulk = (kind: Parameters<ComputersKeys['bulk']>[0], one: () => void) => () =>
		keys.actsOnSelection() ? keys.bulk(kind) : one()
	useKey('computers.isolate', orBulk('isolate', act('isolate')))
	useKey('computers.release', orBulk('release', act('release')))
	useKey('computers.trajectory', act('trajectory'))
	useKey('computers.move', orBulk('move', ask('move')))
	useKey('computers.copyAs', ask('copy'))
	useKey('computers.note', ask('note'))
	useKey(
		'computers.copy',
		onCurrent(guid => copy('GUID', guid)),
	)
	useKey('computers.labels', keys.label)
	useKey('computers.duplicates', onCurrent(keys.duplicates))
	useKey('computers.facets', keys.toggleFacets)
	useKey('computers.export', keys.exportRows)
	useKey('computers.selection', keys.focusSelection, keys.hasSelection)
}
