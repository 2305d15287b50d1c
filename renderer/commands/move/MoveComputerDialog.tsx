import {useMemo, useState} from 'react'

import type {ComputerDetail} from '#contract/contract.ts'
import type {GroupNode} from '#contract/directory.ts'
import {useConnected, useAskedHere} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {EmptyState, Unloaded} from '#ui/States.tsx'
import {ChangeDialog} from '../change/ChangeDialog.tsx'
import {ChangeReceipt} from '../change/ChangeReceipt.tsx'
import {isRequested} from '../RunNote.tsx'
import {useChange} from '../change/use-change.ts'
import {useGroups} from '../directory/use-directory.ts'
import {TargetComputer} from '../TargetComputer.tsx'
import {t} from '../text.ts'
import {UndoButton} from '../undo/UndoListDialog.tsx'
import {GroupField} from './GroupField.tsx'
import {moveWords, pathsOf, whyNot} from './move-targets.ts'
import {MoveChange} from './MoveChange.tsx'
import type {Moved, MoveRequest} from './types.ts'

interface MoveComputerDialogProps {
	request: MoveRequest
	onClose: () => void
	/** The service accepted the move; the dialog stays open with its outcome. */
	onMoved?: ((moved: Moved) => void) | undefined
	/** Undone from its outcome. By default the dialog closes. */
	onUndone?: () => void
}

/**
 * Moves one computer into a group: shows before and after, sends one request, and tells its outcome. A key, a button or
 * dropping the computer on a group opens it; none of these sends anything.
 */
export function MoveComputerDialog(props: MoveComputerDialogProps) {
	const {request, onClose} = props
	const {guid, hostname} = request
	const computer = useAskedHere(q => q.computers.detail, {guid})
	const {items: groups, error, retry} = useGroups()
	const {data} = computer
	if (data === undefined || groups === undefined || data === null) {
		const missing = data === undefined ? computer : {error, refetch: retry}
		return (
			<Dialog title={t.move(hostname)} onClose={onClose}>
				{data === null ? (
					<EmptyState title={t.computerNotKnown}>{t.deletedElsewhere}</EmptyState>
				) : (
					<Unloaded of={missing} title={t.couldNotLoadThe(data === undefined ? 'computer' : 'groups')} lines={6} label={t.loadingTheComputer} />
				)}
			</Dialog>
		)
	}
	return <Move {...props} detail={data} groups={groups} />
}

interface MoveProps extends MoveComputerDialogProps {
	detail: ComputerDetail
	groups: readonly GroupNode[]
}

function Move({request, detail, groups, onClose, onMoved, onUndone = onClose}: MoveProps) {
	const announce = useAnnounce()
	const {client, connection} = useConnected()
	const paths = useMemo(() => pathsOf(groups), [groups])
	const [chosen, setChosen] = useState<string | null>(request.to ?? null)
	const {guid, hostname} = request
	const {row} = detail
	// The dialog keeps the group of its opening, because a refresh shows the state after the move.
	const [from] = useState({guid: row.groupGuid, name: row.groupName || 'no known group'})
	const [record] = useState(detail)
	const target = groups.find(group => group.guid === chosen)
	const change = useChange({
		name: 'svc_move_computer',
		args: {connector_guid: guid, group_guid: target?.guid ?? ''},
		isChosen: target !== undefined,
		// A single move can be undone, so it needs no reason unless the rules require one.
		reason: 'guarded',
		read: () => client.computers.refreshOne({connection, guid})
	})
	const send = async () => {
		const result = await change.send()
		if (target === undefined || result === null) return
		announce(`The service has accepted it: ${hostname} is in ${target.name}`)
		onMoved?.({hostname, from, to: target, at: now(), entry: result.entry})
	}
	return (
		<ChangeDialog
			title={moveWords(hostname, target)}
			change={change}
			waits={whyNot(target, row.groupGuid)}
			onClose={onClose}
			onConfirm={() => void send()}
			after={change.accepted !== null && <UndoButton id={change.accepted.result.entry} onUndone={onUndone} />}
			receipt={
				<ChangeReceipt
					change={change}
					what="computer"
					confirmed={({row: {groupGuid, groupName, policyName}}) => {
						const policy = policyName === '' ? '' : `; its policy, as it last reported: ${policyName}`
						return groupGuid === target?.guid
							? {isSo: true, text: `in ${groupName}${policy}`}
							: {isSo: false, text: `in ${groupName}, not in ${target?.name}: someone may have moved it again`}
					}}
				/>
			}
		>
			<TargetComputer detail={record} />
			{change.accepted === null && !isRequested(change.runner) && (
				<GroupField chosen={chosen} onChoose={setChosen} autoFocus={request.to === undefined} />
			)}
			<MoveChange detail={record} from={paths.get(from.guid) ?? from.name} target={target} paths={paths} />
		</ChangeDialog>
	)
}

function now() {
	return new Date().toISOString()
}
