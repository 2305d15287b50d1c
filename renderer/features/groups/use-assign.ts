import {useRef, useState} from 'react'

import type {CommandResult} from '#shared/commands/result.ts'
import type {GroupChangePreview, GroupNode} from '#shared/contract/directory.ts'
import type {Agreement} from '#shared/model/guard.ts'

import {useConnected} from '../../api/active.tsx'
import {asCordonError} from '../../api/errors.ts'
import {useRun, type Runner} from '../../commands/use-run.ts'
import type {ChosenPolicies as Chosen} from '../../commands/directory/assignable.ts'
import {commandArgs, driftOf} from './assign-facts.ts'

interface AssignRequest {
	readonly group: GroupNode
	readonly chosen: Chosen
	readonly preview: GroupChangePreview
	/** The operator's agreement, with the reason. */
	readonly agreement: Agreement
}

export interface AssignProgress {
	readonly runner: Runner
	readonly requestedAt: string | null
	readonly accepted: {readonly at: string; readonly result: CommandResult} | null
	/** The group as read after the service accepted the change. */
	readonly observed: {readonly at: string; readonly group: GroupNode | null; readonly problem: string | null} | null
	/** Why nothing was sent, in a sentence. */
	readonly refused: string | null
	readonly isReading: boolean
	send(request: AssignRequest): Promise<CommandResult | null>
	look(): void
}

/** Sends one change of a group's policies: exactly what was shown, if still unchanged; then checks it. */
export function useAssign(): AssignProgress {
	const {client, connection} = useConnected()
	const runner = useRun()
	const [requestedAt, setRequestedAt] = useState<string | null>(null)
	const [accepted, setAccepted] = useState<AssignProgress['accepted']>(null)
	const [observed, setObserved] = useState<AssignProgress['observed']>(null)
	const [refused, setRefused] = useState<string | null>(null)
	const [isReading, setReading] = useState(false)
	const guid = useRef('')

	const read = async () => {
		setReading(true)
		try {
			return {group: await client.directory.groups.refreshOne({connection, guid: guid.current}), problem: null}
		} catch (error) {
			return {group: null, problem: asCordonError(error).message}
		} finally {
			setReading(false)
		}
	}
	const look = async () => {
		const seen = await read()
		setObserved({at: new Date().toISOString(), ...seen})
	}
	const check = async (request: AssignRequest): Promise<string | null> => {
		const {group, problem} = await read()
		if (problem !== null) return `Could not load the group. Nothing was sent: ${problem}`
		if (group === null || group.vanishedAt !== null) return 'The group is gone. Nothing was sent.'
		const drift = driftOf(request.preview, group)
		return drift === null ? null : `${drift} Nothing was sent: look at before and after again.`
	}
	const send: AssignProgress['send'] = async request => {
		guid.current = request.group.guid
		const refusal = await check(request)
		setRefused(refusal)
		if (refusal !== null) return null
		setRequestedAt(new Date().toISOString())
		const args = commandArgs(request.group.guid, request.chosen)
		const result = await runner.run({name: 'svc_set_group_policy', args, agreement: request.agreement})
		if (result === null) return null
		setAccepted({at: new Date().toISOString(), result})
		void look()
		return result
	}
	return {runner, requestedAt, accepted, observed, refused, isReading, send, look: () => void look()}
}
