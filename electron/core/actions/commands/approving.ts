/** Changes that others have to approve: storing and carrying them out. */
import {checkArguments} from '#shared/commands/arguments.ts'
import {findCommand, type CommandName} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import {CordonError, hasCode, usageError} from '#contract/errors.ts'
import type {Approval} from '#model/approval.ts'
import type {Connection} from '#model/connection.ts'
import type {Agreement, GuardJudgement} from '#model/guard.ts'

import {approvalNeeded, once, type Approvals, type Executor, type Proposal} from '#core/approvals/approvals.ts'
import {canonicalJson, digestOfJson} from '#base/canonical.ts'
import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Guards} from '../guards/guards.ts'
import type {JudgeRequest} from '../guards/types.ts'
import {secretArguments} from './secrets.ts'
import type {CommandRequest, Runner} from './types.ts'

/** The canonical JSON of this is digested, so it holds the arguments exactly as they are sent. */
type ChangeContent = ReturnType<typeof contentOf>

export interface Change {
	readonly spec: CommandSpec & {name: CommandName}
	readonly args: Readonly<Record<string, unknown>>
	readonly connection: Connection
}

type Asked = Pick<CommandRequest, 'surface'> &
	Partial<Pick<CommandRequest, 'agreement' | 'isolation' | 'approval' | 'facts' | 'incident' | 'requester' | 'propose'>>

function contentOf({spec, args, connection}: Change, {agreement, isolation}: Asked) {
	if (secretArguments(spec, args).length > 0)
		throw usageError('A change with an unlock code cannot wait for approval. Leave the code out.', 'unlock_code')
	return {
		...{command: spec.name, args, connection: connection.id, isolation: isolation ?? null},
		...{reason: agreement?.reason ?? null, ticket: agreement?.ticket ?? null}
	}
}

function changeProposal(change: Change, request: Asked, label: string | null = null): Proposal {
	const content = contentOf(change, request)
	const run = runOf(request)
	const token = tokenOf(request)
	return {
		...{kind: 'change', content, connection: change.connection.id, surface: request.surface, run},
		...{id: request.approval, requester: request.requester, reason: content.reason},
		title: `${change.spec.title}${label === null ? '' : `: ${label}`}`,
		details: [...detailsOf(content), ...(token === undefined ? [] : [`Token: ${token}`])],
		request: {incident: request.incident ?? null, token, undoes: request.facts?.['undoes']}
	}
}

const tokenOf = ({facts}: Asked) => (typeof facts?.['token'] === 'string' ? facts['token'] : undefined)

function detailsOf({command, args, ticket, isolation}: ChangeContent) {
	const lines = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : canonicalJson(value)}`)
	const lease = isolation?.lease ?? null
	return [
		`Command: ${command}`,
		...lines,
		...(ticket === null ? [] : [`Ticket: ${ticket}`]),
		...(lease === null ? [] : [`Lease: ${lease.hours ?? 'none'} h${lease.auto ? ', automatic release' : ''}`])
	]
}

function runOf({facts, approval}: Asked): Approval['run'] {
	const {run, step} = facts ?? {}
	return approval !== undefined && typeof run === 'string' && typeof step === 'string' ? {id: run, step} : null
}

type CommandServices = Pick<Approvals, 'propose' | 'find' | 'check' | 'claim'> | undefined

type Demand = NonNullable<GuardJudgement['approval']> & {requesterMay?: boolean}

interface Need {
	demand: Demand | null
	known: Approval | undefined
	label: string
	final: boolean
}

/** Where nobody can type a confirmation, the person at the window approves instead, without a key. */
export async function admitFor(
	guards: Pick<Guards, 'admit'>,
	judged: JudgeRequest,
	agreement: Agreement | 'approved',
	{surface, propose}: Pick<CommandRequest, 'surface' | 'propose'>
): Promise<Omit<GuardJudgement, 'approval'> & {approval: Demand | null}> {
	const personal = (because: readonly string[]): Demand => ({...{needed: 1, groups: [], requesterMay: true, because: because.join(' ')}})
	const ask = propose === undefined || agreement === 'approved' ? undefined : propose
	try {
		const found = await guards.admit(judged, agreement, surface)
		return {...found, approval: found.approval ?? (ask === 'always' ? personal(found.because) : null)}
	} catch (error) {
		const isTyped = hasCode(error, 'confirmation_needed') && error.details.field === 'confirm'
		if (ask === undefined || !isTyped) throw error
		const found = await guards.admit(judged, 'approved', surface)
		return {...found, approval: found.approval ?? personal(found.because)}
	}
}

export function tooMany() {
	return new CordonError('rate_limited', 'Too many changes of this kind wait for approval. Nothing was sent.')
}

/** Throws `approval_needed` unless others have already approved this very change. */
export function needApproval(approvals: CommandServices, change: Change, request: Asked, {demand, known, label, final}: Need) {
	if (demand === null && known === undefined) return
	if (approvals === undefined) throw new CordonError('approval_needed')
	const terms = demand === null ? {} : {needed: demand.needed, groups: demand.groups, requesterMay: demand.requesterMay ?? false}
	if (known === undefined && request.propose === 'refused') throw tooMany()
	const proposal = changeProposal(change, request, label)
	const asked = known ?? approvals.propose({...proposal, ...terms, reason: proposal.reason ?? demand?.because})
	if (known === undefined && asked.state === 'pending') throw approvalNeeded(asked)
	const digest = digestOfJson(contentOf(change, request))
	const run = runOf(request)
	const by = run === null ? once : `${run.id}/${run.step}`
	if (final) approvals.claim(asked.id, digest, by, terms)
	else approvals.check(asked.id, digest, by, terms)
}

/** Carries out an approved change in the name of its requester. */
export function changeExecutor(runner: Pick<Runner, 'run'>): Executor {
	return async ({id, surface}, content, request) => {
		// Written by `changeProposal`.
		const {command, args, connection, reason, ticket, isolation} = content as ChangeContent
		const {incident, ...facts} = request as {incident: string | null}
		const {message} = await runner.run({
			...{name: command, connection, surface, incident, approval: id},
			args: args as CommandRequest['args'],
			agreement: {reason: reason ?? undefined, ticket: ticket ?? undefined},
			...(isolation !== null && {isolation}),
			facts: {approval: id, ...facts}
		})
		return message
	}
}

/** What the log says of a change that was approved. */
export async function sentChange(log: Pick<IncidentLog, 'matching'>, {id, connection}: Approval) {
	const entries = await allEntries(log, {connection: connection.id, writesOnly: true})
	const intent = entries.find(({data}) => data?.['approval'] === id)
	if (intent === undefined) return undefined
	const outcome = entries.find(({about}) => about === intent.id)
	const state = outcome?.kind === 'command.succeeded' ? 'used' : 'failed'
	return [state, outcome?.message ?? new CordonError('outcome_unknown').message] as const
}

/** The same change with other arguments; an empty value removes one. Throws `invalid_argument` for one that does not fit. */
export function editedChange(content: unknown, change: Readonly<Record<string, string>>) {
	const former = content as ChangeContent
	const spec = findCommand(former.command)
	if (spec === undefined) throw usageError('Only a single change can be edited.', 'id')
	const given = Object.entries({...former.args, ...change}).filter(([, value]) => value !== '')
	const args = checkArguments(spec, Object.fromEntries(given) as CommandRequest['args'])
	const edited: ChangeContent = {...former, args}
	if (secretArguments(spec, args).length > 0) throw usageError('An unlock code cannot stand in an approval.', 'unlock_code')
	const targets = [former.args, args].map(one => canonicalJson(one[spec.positional ?? ''] ?? null))
	/** For another target; without it, the former title stays. */
	const title = targets[0] === targets[1] ? undefined : `${spec.title}: ${targets[1]}`
	return {content: edited, details: detailsOf(edited), title}
}
