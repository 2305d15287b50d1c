import type {ComputerRow} from '#model/computer.ts'
import {formatCount} from '#text/numbers.ts'

import {useWriteRefusal} from '#api/hooks.tsx'
import {usePlaybookAct} from '#commands/StartPlaybook.tsx'
import {useUi} from '#state/ui.tsx'
import type {Act} from '#ui/Button.tsx'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import {isHeld} from './columns.tsx'
import {bulkActions} from './selection/BulkActions.tsx'
import {t} from './text.ts'
import type {ComputersList} from './use-list.ts'

export interface Asked {
	what: 'copy' | 'note' | 'move'
	guid: string
}

/** The open dialog of the list. */
export type Open = {kind: 'columns' | 'export' | 'refresh'} | {kind: 'labels'; guids: readonly string[]} | {kind: 'asked'; asked: Asked}

interface Opening {
	list: ComputersList
	openScreen(guid: string, act: 'isolate' | 'release' | 'trajectory'): void
	ask(guid: string, what: Asked['what']): void
	setOpened(open: Open): void
}

/** The actions of a row, or of the selection that it is part of. Each opens a dialog or a screen, or copies. */
export function useComputersMenu({list, openScreen, ask, setOpened}: Opening): (row: ComputerRow) => RowActs {
	const {selection} = list
	const refusal = useWriteRefusal()
	const openBulk = useUi(ui => ui.openBulk)
	const playbook = usePlaybookAct()
	const labels = (guids: readonly string[]): Act => [t.tagsAndRoles, () => setOpened({kind: 'labels', guids})]
	const ofSelection = ({guids}: typeof selection): RowActs => ({
		title: t.selected(formatCount(guids.length)),
		isOfSelection: true,
		acts: [
			...bulkActions.map(({kind, words}): Act => [words, () => openBulk(kind, guids)]),
			labels(guids),
			playbook({computers: guids}),
			[t.refreshSelected, () => setOpened({kind: 'refresh'})],
			[t.exportMore, () => setOpened({kind: 'export'})]
		],
		copies: [['GUIDs', guids.join('\n')]]
	})
	return row => {
		const {guid, hostname, isolation} = row
		if (selection.has(guid)) return ofSelection(selection)
		const held = isHeld(row)
		return {
			title: hostname,
			acts: [
				[
					held ? t.releaseMore : t.isolateMore,
					() => openScreen(guid, held ? 'release' : 'isolate'),
					isolation === 'unavailable' ? t.policySystem : refusal
				],
				[t.moveMore, () => ask(guid, 'move'), refusal],
				labels([guid]),
				[t.showTrajectory, () => openScreen(guid, 'trajectory')],
				playbook({computers: [guid]}),
				[t.noteMore, () => ask(guid, 'note')],
				[t.copyAsMore, () => ask(guid, 'copy')]
			],
			copies: [
				['name', hostname],
				[t.guid, guid]
			]
		}
	}
}
