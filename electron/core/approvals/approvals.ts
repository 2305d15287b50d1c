/**
 * Approvals of a profile. A row holds the digest of what exactly is approved; an answer counts for that digest alone. An
 * approval is carried out once, because the executor claims it first.
 */
import {CordonError, hasCode, messageOf, usageError} from '#contract/errors.ts'
import type {Approval, ApprovalKind, ApprovalState, ApprovalSubject, ApprovalTerms, SignedAnswer, TrustedKey} from '#model/approval.ts'
import type {Surface} from '#model/incident.ts'

import {digestOfJson} from '#base/canonical.ts'
import {timeOrderedId} from '#base/ids.ts'
import {foundConnection, refuseElsewhere} from '#core/service/connections/found.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {isAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'
import {checkAnswer, countsFor, standing, type Counted} from './counting.ts'
import {openKeys, type Keys, type KeyServices} from './keys.ts'
import {entryOf} from './log.ts'
import {openRows, type Row, type Rows} from './rows.ts'
import {readSignedAnswer, signAnswer} from './signature.ts'

interface ApprovalServices extends KeyServices {
	connections: () => Pick<Connections, 'find'>
}

export interface Proposal extends Partial<ApprovalTerms> {
	/** Only one open approval has this ID. Default: a new ID. */
	readonly id?: string | undefined
	readonly kind: ApprovalKind
	readonly title: string
	readonly details: readonly string[]
	/** The change; its digest is that of its canonical JSON. */
	readonly content: unknown
	/** Set where the content has its own digest, such as a plan. */
	readonly digest?: string | undefined
	readonly children?: readonly string[] | undefined
	readonly connection: string
	/** Default: the operator. */
	readonly requester?: string | undefined
	readonly appliedBy?: string | undefined
	readonly requestedAt?: string | undefined
	/** Default: 7 days after it was requested. */
	readonly expiresAt?: string | undefined
	readonly reason?: string | null | undefined
	readonly surface: Surface
	/** The run that waits for it. */
	readonly run?: Approval['run'] | undefined
	/** Further input of the executor. */
	readonly request?: unknown
	readonly replaces?: string | null | undefined
}

type Edit = Pick<Proposal, 'content' | 'details'> & {title: string | undefined}

interface AnswerRequest {
	id: string
	/** Of what was shown: by now, the ID may have other content. */
	digest?: string | undefined
	verdict: 'approved' | 'denied'
	reason: string | null
	/** Left out for a denial, and where the requester may answer. */
	key?: {name: string; passphrase: string} | undefined
	surface: Surface
}

/** Claims an approved change and carries it out. Resolves with its outcome in a sentence. */
export type Executor = (approval: Approval, content: unknown, request: unknown) => Promise<string>
/** The outcome of what a killed process had claimed; `undefined`: nothing was sent. */
type Outcome = (approval: Approval) => Promise<readonly ['used' | 'failed', message: string] | undefined>

/** A claim by this can never be repeated. */
export const once = ''

const week = 7 * 24 * 3_600_000

/** An approval with this ID but other content does not count. */
export function approvalId(...parts: readonly string[]): string {
	return digestOfJson(parts).slice(0, 32)
}

/** Only wakes the waiting run, which then reads the answer. */
export const approvalSignal = (id: string): string => `approval:${id}`

export class Approvals {
	readonly keys: Keys
	readonly #services: ApprovalServices
	readonly #rows: Rows
	readonly #executors = new Map<ApprovalKind, Executor>()
	readonly #outcomes = new Map<ApprovalKind, Outcome>()
	readonly #listeners = new Set<(id: string) => void>()
	readonly #running = new Map<string, Promise<void>>()
	/** Claimed by this process. */
	readonly #claimed = new Set<string>()
	#wake: ((run: string, approval: string) => Promise<void>) | undefined

	constructor(services: ApprovalServices) {
		this.#services = services
		this.keys = openKeys(services)
		this.#rows = openRows(services)
	}

	/** The profile for which signatures are meant. */
	profile(): string {
		return this.#rows.profile()
	}

	propose(proposal: Proposal): Approval {
		const {clock, random, operator, connections} = this.#services
		const digest = proposal.digest ?? digestOfJson(proposal.content)
		const known = proposal.id === undefined ? undefined : this.find(proposal.id)
		if (known !== undefined && known.digest === digest) return known
		const {id, name, url} = connections().find(proposal.connection)
		const at = proposal.requestedAt ?? new Date(clock.now()).toISOString()
		const approval: Approval = {
			...{format: 'cordon-approval/1', kind: proposal.kind, title: proposal.title, digest},
			id: proposal.id ?? timeOrderedId(clock.now(), random),
			children: [...(proposal.children ?? [])],
			profile: this.profile(),
			connection: {id, name, url},
			...{requester: proposal.requester ?? operator, appliedBy: proposal.appliedBy, requestedAt: at},
			expiresAt: proposal.expiresAt ?? new Date(Date.parse(at) + week).toISOString(),
			...{details: proposal.details, reason: proposal.reason ?? null, surface: proposal.surface},
			...{needed: proposal.needed ?? 1, groups: proposal.groups ?? [], requesterMay: proposal.requesterMay ?? false},
			...{state: 'pending', answers: [], outcome: null, run: proposal.run ?? null, replaces: proposal.replaces ?? null}
		}
		const {id: named, content, request = null} = proposal
		const twin = named === undefined ? this.#twinOf(approval, request) : undefined
		if (twin !== undefined) return twin
		this.#rows.insert(approval, content, request, entryOf(approval, 'requested'))
		this.#changed(approval.id)
		return this.get(approval.id)
	}

	/** The same, asked for already and still waiting. */
	#twinOf(approval: Approval, request: unknown) {
		const askedFor = (one: Approval) => digestOfJson({...one, id: '', requestedAt: '', expiresAt: '', answers: []})
		const [wanted, json] = [askedFor(approval), JSON.stringify(request)]
		const rows = this.#rows.all(['pending']).filter(row => row.request === json)
		return rows.map(row => this.#approval(row)).find(one => askedFor(one) === wanted)
	}

	/** Open ones, then the newest that ended; each newest first. */
	list(states?: readonly ApprovalState[]): readonly Approval[] {
		return this.#rows.all(states).map(row => this.#approval(row))
	}

	get(id: string): Approval {
		const found = this.find(id)
		if (found === undefined) throw new CordonError('unknown_approval', `There is no approval ${id}.`, {field: 'id'})
		return found
	}

	find(id: string): Approval | undefined {
		const row = this.#rows.find(id)
		return row === undefined ? undefined : this.#approval(row)
	}

	/** The digested content; `null` for a plan. */
	contentOf(id: string): unknown {
		return this.#rows.contentOf(this.get(id).id)
	}

	/** From a person at a terminal or the window only. Resolves after an approved change was carried out. */
	async answer({id, digest, verdict, reason, key, surface}: AnswerRequest): Promise<Approval> {
		const approval = this.open(id)
		if ((digest ?? approval.digest) !== approval.digest)
			throw new CordonError('conflict', `${approval.title} was changed meanwhile. Nothing was answered.`, {fix: 'Look at it again.'})
		if (key !== undefined) {
			const signed = await this.sign(approval, {verdict, reason, key})
			return await this.#take(signed, surface)
		}
		if (verdict === 'approved' && !(approval.requesterMay && approval.needed === 1)) throw needsKey(approval)
		const by = this.#services.operator
		const at = new Date(this.#services.clock.now()).toISOString()
		const answer = {verdict, by, key: null, reason, at, signed: null}
		this.#rows.keep(approval, answer, entryOf(approval, verdict, {by, reason, surface}))
		return await this.#settle(approval.id)
	}

	/** Signs for an approval of this or another profile. */
	async sign(subject: ApprovalSubject, {verdict, reason, key}: Omit<AnswerRequest, 'id' | 'digest' | 'surface'>): Promise<SignedAnswer> {
		if (key === undefined) throw usageError('A signature needs a key.', 'key')
		const own = await this.keys.unlock(key.name, key.passphrase)
		return signAnswer(bareSubject(subject), own, {verdict, reason, at: this.#services.clock.now()})
	}

	/** A signature from a file. Without its approval it is kept, and this resolves with `null`. */
	async accept(text: string, surface: Surface): Promise<Approval | null> {
		const signed = readSignedAnswer(text)
		if (this.find(signed.subject.id) === undefined) {
			const by = checkAnswer(this.#counted(), signed)
			this.#rows.keep(signed.subject, answerOf(signed, by), entryOf(signed.subject, 'early', {by, surface}))
			return null
		}
		return await this.#take(signed, surface)
	}

	/** Also once approved, until it is claimed. Resolves once the run that waited for it knows. */
	async withdraw(id: string, reason: string, surface: Surface): Promise<Approval> {
		this.#withdraw(id, reason, surface)
		await this.#tell(id)
		this.#rows.free(id, self())
		return this.get(id)
	}

	#withdraw(id: string, reason: string, surface: Surface) {
		const found = this.get(id)
		const approval = found.state === 'approved' && found.run === null ? found : this.open(id)
		const entry = entryOf(approval, 'withdrawn', {by: this.#services.operator, reason, surface})
		this.#rows.set(id, 'withdrawn', reason, entry, true, self())
		if (this.get(id).state !== 'withdrawn') throw used(approval)
		this.#changed(id)
	}

	/** A new approval with other content and digest; the former is withdrawn. */
	replace(id: string, {content, details, title}: Edit, surface: Surface): Approval {
		const former = this.open(id)
		if (former.kind !== 'change') throw usageError('Only a single change can be edited. Make a new plan instead.', 'id')
		if (digestOfJson(content) === former.digest) throw usageError('The edit changes nothing.', 'id')
		const {kind, connection, reason, needed, groups, requesterMay, run} = former
		if (run !== null) throw usageError('A run of a playbook waits for exactly this. Deny it instead.', 'id')
		const request: unknown = JSON.parse(this.#rows.find(id)?.request ?? 'null')
		const terms = {needed, groups, requesterMay, reason, surface, request}
		const replace = () => {
			// First what can be refused: the log keeps an entry of each.
			const edited = this.propose({kind, title: title ?? former.title, details, content, connection: connection.id, replaces: id, ...terms})
			this.#withdraw(id, 'Replaced by an edit.', surface)
			return edited
		}
		try {
			return this.#services.database.transaction(replace, {durable: true})
		} catch (error) {
			// Its notice was taken back.
			this.#changed(id)
			throw error
		}
	}

	/** Throws like `claim`, and marks nothing. */
	check(id: string, digest: string, by: string, terms: Partial<ApprovalTerms> = {}): Approval {
		const row = this.#rows.find(id)
		const approval = this.#under(this.get(id), terms)
		if (approval.digest !== digest)
			// Without an ID: no answer to that approval would do.
			throw new CordonError('approval_needed', 'What was approved is not this: it was changed since. Nothing was sent.', {
				fix: 'Start it again, and have it approved as it is now.'
			})
		const now = foundConnection(this.#services.connections(), approval.connection.id)
		if (now !== undefined) refuseElsewhere(now, approval.connection, 'id')
		if (by === once || row?.used_by !== by) refuseUnapproved(approval)
		return approval
	}

	/**
	 * Marks it as used by `by`, who may claim it again. `terms`: the current demands. Throws `approval_needed` while it
	 * waits, `approval_denied`, `approval_timed_out`, or `taken`.
	 */
	claim(id: string, digest: string, by: string, terms?: Partial<ApprovalTerms>): Approval {
		const approval = this.check(id, digest, by, terms)
		if (by !== once && this.#rows.find(id)?.used_by === by) return approval
		if (!this.#rows.claim(id, by, approval.run === null ? self() : null)) throw used(approval)
		this.#claimed.add(id)
		this.#changed(id)
		return this.get(id)
	}

	/** Applies current demands where they are stricter. */
	#under(approval: Approval, {needed = 1, groups = [], requesterMay = true}: Partial<ApprovalTerms>) {
		if (approval.state !== 'approved') return approval
		const strict = {
			...approval,
			needed: Math.max(approval.needed, needed),
			groups: groups.length === 0 ? approval.groups : groups,
			requesterMay: approval.requesterMay && requesterMay
		}
		return {...strict, state: standing(this.#counted(), strict)}
	}

	timeOut(id: string): void {
		const approval = this.find(id)
		if (approval === undefined || approval.state === 'denied') return
		this.#rows.set(id, 'timed_out', null, entryOf(approval, 'timed_out'), true)
		this.#changed(id)
	}

	/** Expires old approvals, and goes on with what was answered when a process ended. */
	async sweep(): Promise<void> {
		for (const row of this.#rows.left()) {
			if (row.state === 'withdrawn') await this.#tell(row.id)
			else if (isAlive(JSON.parse(row.process) as ProcessIdentity) || (await this.#isEnded(row.id))) continue
			this.#rows.free(row.id, row.process)
			this.#changed(row.id)
		}
		for (const {id, state} of this.list(['pending', 'approved'])) {
			if (state === 'approved') await this.#carryOut(id)
			if (state === 'denied') await this.#settle(id)
			if (state !== 'timed_out') continue
			await this.#tell(id)
			this.timeOut(id)
		}
	}

	carryOutWith(kind: ApprovalKind, executor: Executor, outcome?: Outcome): void {
		this.#executors.set(kind, executor)
		if (outcome !== undefined) this.#outcomes.set(kind, outcome)
	}

	/** Sets how the waiting run is woken. */
	wakeWith(wake: (run: string, approval: string) => Promise<void>): void {
		this.#wake = wake
	}

	onChange(listener: (id: string) => void): () => void {
		this.#listeners.add(listener)
		return () => void this.#listeners.delete(listener)
	}

	#counted(): Counted {
		return {keys: this.keys, now: this.#services.clock.now(), profile: this.profile()}
	}

	/** Answers count while their keys are trusted. */
	#approval(row: Row): Approval {
		const known = this.#rows.read(row)
		if (known.state !== 'pending' && known.state !== 'approved') return known
		// Earlier versions did not note who applied a plan: only the operator uses this profile.
		const approval = known.kind === 'plan' ? {appliedBy: this.#services.operator, ...known} : known
		return {...approval, state: standing(this.#counted(), approval)}
	}

	/** While it can be answered. */
	open(id: string): Approval {
		const approval = this.get(id)
		if (approval.state === 'pending') return approval
		throw usageError(`This approval is ${approval.state.replace('_', ' ')} already.`, 'id')
	}

	async #take(signed: SignedAnswer, surface: Surface) {
		const approval = this.open(signed.subject.id)
		const by = checkAnswer(this.#counted(), signed)
		countsFor(approval, signed, by)
		const {verdict, key, reason} = signed
		const entry = entryOf(approval, verdict, {by, key, reason, surface, signed})
		this.#rows.keep(approval, answerOf(signed, by), entry)
		return await this.#settle(approval.id)
	}

	async #settle(id: string) {
		const {state} = this.get(id)
		// Stored after that: the sweep of a later process tells it otherwise.
		if (state === 'denied') await this.#tell(id)
		if (state !== 'pending') this.#rows.set(id, state, null, null, true)
		this.#changed(id)
		if (state === 'approved') await this.#carryOut(id)
		return this.get(id)
	}

	async #tell(id: string) {
		const {run} = this.get(id)
		if (run === null) return
		await this.#wake?.(run.id, id)
	}

	#carryOut(id: string) {
		const running = this.#running.get(id) ?? this.#execute(id).finally(() => this.#running.delete(id))
		this.#running.set(id, running)
		return running
	}

	async #execute(id: string) {
		const approval = this.get(id)
		if (approval.run !== null) return await this.#tell(id)
		const executor = this.#executors.get(approval.kind)
		const row = this.#rows.find(id)
		if (executor === undefined || row === undefined || approval.state !== 'approved' || row.used_by !== null) return
		try {
			const outcome = await executor(approval, this.#rows.contentOf(id), JSON.parse(row.request))
			this.#end(approval, 'used', outcome)
		} catch (error) {
			const isOwn = this.#claimed.has(id)
			// Another process is at it, or another change of the target: the sweep looks again.
			if (!isOwn && hasCode(error, 'taken', 'busy')) return
			this.#end(approval, 'failed', messageOf(error), !isOwn)
		}
	}

	#end(approval: Approval, state: 'used' | 'failed', reason: string, unclaimed = false) {
		this.#rows.set(approval.id, state, reason, state === 'used' ? null : entryOf(approval, state, {reason}), unclaimed)
		this.#changed(approval.id)
	}

	/** Sets the outcome of what a killed process had claimed. */
	async #isEnded(id: string): Promise<boolean> {
		const approval = this.get(id)
		const find = this.#outcomes.get(approval.kind)
		const outcome = await find?.(approval)
		if (outcome !== undefined) this.#end(approval, ...outcome)
		return find === undefined || outcome !== undefined
	}

	#changed(id: string) {
		for (const listener of this.#listeners) listener(id)
	}
}

const self = () => JSON.stringify(ownIdentity())

function answerOf(signed: SignedAnswer, {name}: TrustedKey) {
	const {verdict, key, reason, signedAt: at} = signed
	return {verdict, by: name, key, reason, at, signed}
}

/** Only the fields that a signature covers. */
export function bareSubject(subject: ApprovalSubject): ApprovalSubject {
	const {format, id, kind, title, digest, children, profile, connection, requester, requestedAt, expiresAt} = subject
	return {format, id, kind, title, digest, children, profile, connection, requester, requestedAt, expiresAt}
}

function refuseUnapproved(approval: Approval) {
	const {id, state, title} = approval
	if (state === 'approved') return
	if (state === 'pending') throw approvalNeeded(approval)
	if (state === 'denied' || state === 'withdrawn')
		throw new CordonError('approval_denied', `${title}: the approval was ${state}. Nothing was sent.`, {approval: id})
	if (state === 'timed_out') throw new CordonError('approval_timed_out', `${title}: nobody approved in time. Nothing was sent.`, {approval: id})
	throw used(approval)
}

export function approvalNeeded({id, title, needed, groups}: Approval): CordonError {
	const whose = groups.length === 0 ? 'trusted key' : `key of ${groups.join(' or ')}`
	const count = needed === 1 ? `a ${whose}` : `${needed} different keys`
	return new CordonError('approval_needed', `${title} waits for approval ${id} with ${count}. Nothing was sent.`, {
		approval: id,
		fix: `Approve it in the inbox, or with: cordon approvals approve ${id} --as NAME`
	})
}

function needsKey({requester, requesterMay}: Approval) {
	const why = requesterMay ? 'Several people have to approve this.' : `${requester} asked for this, and cannot approve it.`
	return usageError(`${why} Approve it with the key of another person.`, 'key')
}

function used({id, title}: Approval) {
	return new CordonError('taken', `${title}: approval ${id} was used already. Nothing was sent twice.`, {approval: id})
}
