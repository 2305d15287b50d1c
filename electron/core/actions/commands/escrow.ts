/** Unlock codes and leases of isolations, from the intent to the outcome. */
import type {CommandName} from '#shared/commands/catalogue.ts'
import {allEnded} from '#base/turns.ts'
import {hasCode} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {isolateCommand, releaseCommand} from '#model/isolation.ts'

import type {CommandRequest, Escrow, HandlerOutcome} from './types.ts'

type Args = Readonly<Record<string, unknown>>

interface EscrowSubject {
	name: CommandName
	args: Args
	computer: string | undefined
	connection: Connection
	intent: string
	label: (guid: string) => string
	/** Unix milliseconds. */
	now: number
}

/** What is kept of one isolation or release. A failure to store it never replaces the service's answer. */
export interface Kept {
	succeeded(outcome: HandlerOutcome): Promise<void>
	failed(error: unknown): Promise<void>
}

const nothing: Kept = {succeeded: async () => {}, failed: async () => {}}
/** An agent that has not carried out a release by then did not do it. */
const releaseMs = 600_000

/** Adds a generated code where one is wanted. */
export function withCode(escrow: Escrow, name: CommandName, args: Args, request: CommandRequest) {
	const wanted = name === isolateCommand && request.isolation?.code === 'generated'
	return wanted && args['unlock_code'] === undefined ? {...args, unlock_code: escrow.codes.make()} : args
}

/** Seals the code and notes the lease before anything is sent. Rejects when a generated code cannot be kept. */
export async function takeIntoEscrow(escrow: Escrow, request: CommandRequest, subject: EscrowSubject): Promise<Kept> {
	if (subject.name === releaseCommand) return releaseOf(escrow, subject)
	if (subject.name !== isolateCommand) return nothing
	const sealed = await sealOf(escrow, request, subject)
	const settle = async (state: 'in_use' | 'unknown' | 'refused') => {
		if (sealed) await escrow.codes.settle(subject.intent, state)
	}
	let lease: ReturnType<typeof leaseOf>
	try {
		lease = leaseOf(escrow, request, subject)
	} catch (error) {
		// Nothing is sent without its lease, so the code then opens nothing.
		await settle('refused').catch(() => {})
		throw error
	}
	return {
		succeeded: () =>
			each(
				() => lease?.held(),
				() => settle('in_use')
			),
		failed: error => {
			const unknown = hasCode(error, 'outcome_unknown')
			return each(
				() => (unknown ? undefined : lease?.refused()),
				() => settle(unknown ? 'unknown' : 'refused')
			)
		}
	}
}

/** Runs every step, even after a failure. Rejects with the first failure. */
async function each(...steps: readonly (() => unknown)[]) {
	await allEnded(steps.map(async step => await step()))
}

/** A typed code is kept where possible: the operator knows it anyway. */
async function sealOf({codes}: Escrow, request: CommandRequest, {args, computer: guid, connection, intent, label}: EscrowSubject) {
	const code = args['unlock_code']
	if (typeof code !== 'string' || guid === undefined) return false
	const made = request.isolation?.code === 'generated' ? 'generated' : 'own'
	try {
		await codes.seal({id: intent, connection, guid, label: label(guid), made, code})
		return true
	} catch (error) {
		if (made === 'generated') throw error
		return false
	}
}

function leaseOf({leases, operator}: Escrow, request: CommandRequest, {computer: guid, connection, intent, label, now}: EscrowSubject) {
	const term = request.isolation?.lease
	if (guid === undefined || term === undefined || term === null) return undefined
	const own = {connection: connection.id, guid, intent}
	leases.begin({...own, label: label(guid), term, holder: operator, at: now, state: 'asked'})
	return {held: () => void leases.change(own, {state: 'held'}), refused: () => leases.end(connection.id, guid, intent)}
}

/** The lease ends when the agent has released the computer; until then it is only marked as releasing. */
function releaseOf({leases}: Escrow, {computer: guid, connection, now}: EscrowSubject): Kept {
	if (guid === undefined) return nothing
	return {
		succeeded: async ({data}) => {
			const lease = leases.get(connection.id, guid)
			const status = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : undefined
			if (status === 'not_isolated') leases.end(connection.id, guid)
			else if ((status === 'pending_stop' || status === 'isolated') && lease !== undefined)
				leases.change(lease, {state: 'releasing', nextTryAt: new Date(now + releaseMs).toISOString(), trouble: null})
		},
		failed: async () => {}
	}
}
