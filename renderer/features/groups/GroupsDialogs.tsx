import type {GroupNode} from '#contract/directory.ts'
import type {ExportedTable} from '#commands/directory/table-export.ts'
import {TableExportDialog} from '#commands/directory/TableExportDialog.tsx'
import {MoveComputerDialog} from '#commands/move/MoveComputerDialog.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {AssignDialog} from './AssignDialog.tsx'
import type {GroupsSearch} from './search.ts'
import {t} from './text.ts'
import {byGuid, pathOf} from './tree-model.ts'
import type {Moves} from './use-moves.ts'
import type {TreeView} from './use-tree-view.ts'

interface GroupsDialogsProps {
	act: GroupsSearch['act']
	groups: readonly GroupNode[]
	view: TreeView
	moves: Moves
	onClose: () => void
}

/** Dialogs opened by keys, buttons and drops. */
export function GroupsDialogs({act, groups, view, moves, onClose}: GroupsDialogsProps) {
	const {shown: group, below} = view
	return (
		<>
			{act === 'export' && <ExportDialog groups={groups} view={view} onClose={onClose} />}
			{act === 'assign' && group !== undefined && <AssignDialog key={group.guid} group={group} below={below} onClose={onClose} />}
			{act === 'note' && group !== undefined && <NoteDialog target={{guid: group.guid, label: group.name}} onClose={onClose} />}
			<MovesDialog moves={moves} />
		</>
	)
}

export function MovesDialog({moves: {request, close, done, dismiss}}: {moves: Moves}) {
	if (request === null) return null
	const undone = () => {
		dismiss()
		close()
	}
	const {guid, to = ''} = request
	return <MoveComputerDialog key={`${guid} ${to}`} request={request} onClose={close} onMoved={done} onUndone={undone} />
}

function ExportDialog({groups, view, onClose}: Pick<GroupsDialogsProps, 'groups' | 'view' | 'onClose'>) {
	const {lines, matches} = view
	const chosen = matches === null ? groups : lines.filter(({isMatch}) => isMatch).map(({node}) => node)
	return (
		<TableExportDialog
			title={t.exportTheGroups}
			table={exportedGroups(groups, chosen)}
			lacks={chosen.some(({policies}) => policies === null) ? t.policiesNot : null}
			onClose={onClose}
		/>
	)
}

const columns = [
	'Path',
	'Name',
	'GUID',
	'Parent GUID',
	'Description',
	'Computers',
	'Computers with subgroups',
	'Compromised',
	'Compromised with subgroups',
	'Isolated',
	'Isolated with subgroups',
	'Own policies',
	'Inherited policies',
	'Gone since'
]

/** Groups as a table, `shown` of `all`. Policies are `?` while details are not loaded. */
export function exportedGroups(all: readonly GroupNode[], shown: readonly GroupNode[]): ExportedTable {
	const known = byGuid(all)
	return {
		name: 'groups',
		columns,
		rows: shown.map(group => [
			pathOf(known, group.guid)
				.map(({name}) => name)
				.join(' ▸ '),
			...[group.name, group.guid, group.parent ?? '', group.description],
			...[group.computers, group.below.computers, group.compromised, group.below.compromised].map(String),
			...[group.isolated, group.below.isolated].map(String),
			...[policies(group, false), policies(group, true), group.vanishedAt ?? '']
		]),
		records: shown
	}
}

function policies(group: GroupNode, inherited: boolean) {
	if (group.policies === null) return '?'
	return group.policies
		.filter(use => use.inherited === inherited)
		.map(({product, name}) => `${product}: ${name}`)
		.join('; ')
}
