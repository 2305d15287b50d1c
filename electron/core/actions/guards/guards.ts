/**
 * The guard rules of a profile: rules from `profile.db`, facts from the log and the connections, the judgement from
 * `judge.ts`.
 */
import {isDeepStrictEqual} from 'node:util'

import {parsedJson} from '#shared/is-record.ts'
import type {Clock} from '#base/ports.ts'
import {refusedWriting} from '#base/read-only.ts'
import type {IncidentLog, NewEntry} from '#core/record/incidents/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {unmanaged, type Managed} from '#core/service/managed/managed.ts'
import type {Database} from '#core/store/database.ts'
import {CordonError, type ErrorCode} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {isolateCommand} from '#model/isolation.ts'
import type {QuotaState} from '#model/frame.ts'
import {type Agreement, defaultGuardRules, type GuardJudgement, type GuardRules, guardRulesSchema, type Price} from '#model/guard.ts'
import type {Surface} from '#model/incident.ts'
import {confirmOption, isTyped, needsTyping} from '#model/typed.ts'
import {formatDuration} from '#text/durations.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {judgeChange} from './judge.ts'
import {computerTargets, type GivenRoles} from './targets.ts'
import type {CopyForGuards, JudgeRequest} from './types.ts'

interface GuardsOptions {
	database: Database
	clock: Clock
	connections: () => Pick<Connections, 'find' | 'mode' | 'client'>
	log: () => Pick<IncidentLog, 'query'>
	/** Isolations that running jobs have yet to send. */
	toCome: (connection: string) => Promise<number>
	note: (entry: NewEntry) => void
	roles: GivenRoles
	/** Default: nothing is managed. */
	managed?: Managed | undefined
}

const hourMs = 3_600_000

export interface NewRules {
	readonly connection: string
	/** As they were when the change was made. Throws `conflict` when they differ now. */
	readonly before?: GuardRules | undefined
	readonly rules: GuardRules
	readonly confirm?: string | undefined
	readonly surface: Surface
}

/** Guard rules of all connections and their judgements. Every process reads them fresh. */
export type Guards = ReturnType<typeof openGuards>

export function openGuards(options: GuardsOptions) {
	const {database} = options
	const judge = async (request: JudgeRequest) => judgeNow(options, request, await isolationsLately(options, request))
	return {
		/** Throws `storage` when they cannot be read. */
		rules: (connection: string) => rulesOf(options, connection),
		/** Throws `confirmation_needed` unless `confirm` is the connection's name. Logged with before and after. */
		setRules: ({connection, before, rules, confirm, surface}: NewRules) => {
			const found = options.connections().find(connection)
			if (confirm?.trim().toLowerCase() !== found.name.toLowerCase()) throw nameNeeded(found.name)
			// Saving replaces unreadable rules, so for that they read as the defaults.
			const stored = readable(database, found.id) ?? defaultGuardRules
			if (before !== undefined && !isDeepStrictEqual(before, managedOf(options).guards.applied(stored)))
				throw new CordonError('conflict', `Someone else changed the guard rules of ${found.name} meanwhile.`, {
					fix: 'Nothing was changed. Open them again to see theirs.'
				})
			const own = managedOf(options).guards.admitted(stored, rules)
			writeRules(options, found, own, surface)
			return rulesOf(options, found.id)
		},
		/** Computers from local data; an unknown one has its GUID as name and no role. */
		targetsOf: (connection: string, guids: readonly string[], copy: CopyForGuards | undefined) =>
			computerTargets(connection, guids, copy, options.roles),
		judge,
		/** The judgement with the price of the change: one call for each target, and `reads` (default: the wait for agents). */
		answer: async (request: JudgeRequest & {reads?: number | undefined}) => ({judgement: await judge(request), price: priceOf(options, request)}),
		/**
		 * Throws `read_only`, `protected`, `usage` or `confirmation_needed` with what is missing. Returns the judgement. What
		 * others approved needs no second confirmation.
		 */
		admit: async (request: JudgeRequest, agreement: Agreement | 'approved', surface: Surface) => {
			const judgement = await judge(request)
			if (agreement === 'approved') refuseWhole(judgement)
			else checkAgreement(judgement, agreement, needsReason(options, request, surface))
			return judgement
		},
		/**
		 * For one target of a job confirmed as a whole: read-only and protection still refuse, because rules and lock may have
		 * changed since. The number of recent isolations only asks for a confirmation; a job of a thousand need not count it each time.
		 */
		admitPart: (request: JudgeRequest) => refuseWhole(judgeNow(options, {...request, reviewed: true}, 0))
	}
}

function managedOf({managed = unmanaged}: GuardsOptions) {
	return managed
}

/** The operator's rules under the administrator's. */
function rulesOf(options: GuardsOptions, connection: string) {
	return managedOf(options).guards.applied(readRules(options.database, connection))
}

async function isolationsLately(options: GuardsOptions, {connection, action, ahead = 0}: JudgeRequest) {
	if (action !== 'isolate') return 0
	const {id} = options.connections().find(connection)
	const {hours, isolations} = rulesOf(options, id).rolling
	const from = options.clock.now() - hours * hourMs
	// Unreadable jobs must not stand between an operator and a computer: the name is typed then.
	const toCome = await options.toCome(id).then(
		sum => sum + ahead,
		() => isolations
	)
	return toCome + (await isolationsSince(options.log(), id, from))
}

function judgeNow(options: GuardsOptions, {connection, action, targets, reviewed = false, confirmedAt}: JudgeRequest, isolations: number) {
	const connections = options.connections()
	const found = connections.find(connection)
	const rules = rulesOf(options, found.id)
	return judgeChange({
		rules,
		action,
		targets,
		reviewed,
		production: found.environment === 'production',
		readOnly: refusedWriting(connections.mode(found.id), found.name),
		isolations,
		now: options.clock.now(),
		confirmedAt
	})
}

/**
 * For disruptive changes (tiers 2 and 3). A screen always asks; for the command line the rules and a production environment
 * decide.
 */
function needsReason(options: GuardsOptions, request: JudgeRequest, surface: Surface) {
	if (surface === 'screen') return true
	if (request.action === 'release') return false
	const {id, environment} = options.connections().find(request.connection)
	return environment === 'production' || rulesOf(options, id).lineReason
}

function nameNeeded(name: string) {
	return new CordonError(
		'confirmation_needed',
		`Guard rules keep a slip from becoming an outage. Type the connection's name, ${name}, to change them: nothing was changed.`,
		{field: 'confirm'}
	)
}

/* Counts recent isolations in the incident log, which covers every process and every job. */

/** Requests that were not refused since `from` (Unix milliseconds). */
async function isolationsSince(log: Pick<IncidentLog, 'query'>, connection: string, from: number) {
	const common = {connection, command: isolateCommand, since: new Date(from).toISOString(), limit: 1}
	const asked = (await log.query({...common, kinds: ['command.requested']})).matching
	const refused = (await log.query({...common, kinds: ['command.failed']})).matching
	return Math.max(0, asked - refused)
}

/* Whether the operator agreed as the tier requires. Every refusal says what is missing and that nothing was sent. */

/** Throws `read_only`, `protected`, `usage` or `confirmation_needed`. */
function checkAgreement(judgement: GuardJudgement, agreement: Agreement, needsReason: boolean) {
	refuseWhole(judgement)
	const {tier, confirmation, because} = judgement
	if (needsReason && tier >= 2 && (agreement.reason ?? '').trim() === '') throw missingReason()
	const typed = agreement.confirm?.trim() ?? ''
	if (!needsTyping(confirmation) || isTyped(confirmation, typed)) return
	const {expected} = confirmation
	const what = confirmation.kind === 'name' ? expected : `the number of targets, ${expected},`
	const wrong = typed === '' ? '' : ` What was typed does not match.`
	throw new CordonError('confirmation_needed', `${because.join(' ')} Type ${what} to confirm: nothing was sent.${wrong}`, {
		field: 'confirm',
		fix: `Add the confirmation: on the command line, ${confirmOption(expected)}`
	})
}

/** Throws for what no confirmation can allow. */
function refuseWhole({refused}: GuardJudgement) {
	if (refused === null) return
	const code = refused.code as ErrorCode // `judge.ts` names codes of the table only
	throw new CordonError(code, refused.message, code === 'protected' ? {fix: protectedFix} : {})
}

const protectedFix = 'Changing the guard rules of the connection is a change of its own: confirmed, and logged.'

function missingReason() {
	return new CordonError('confirmation_needed', 'This needs a reason: nothing was sent.', {
		field: 'reason',
		fix: 'Say why: on the command line, --reason TEXT'
	})
}

/* The cost of a change in calls, its duration, and what it leaves for others. */

/** About this many reads until one agent has answered. */
const readingsPerAgent = 8

function priceOf({clock, connections}: GuardsOptions, request: Parameters<Guards['answer']>[0]) {
	const {action, targets} = request
	const list = connections()
	const writes = targets.length
	const isIsolation = action === 'isolate' || action === 'release'
	const reads = request.reads ?? (isIsolation ? readingsPerAgent * Math.min(writes, 5) : 0)
	const quota = list.client(list.find(request.connection).id).quota()
	return plannedPrice({writes, reads, usesReserve: action === 'release', now: clock.now()}, quota)
}

interface Plan {
	writes: number
	reads: number
	/** Releases may spend the reserve. */
	usesReserve: boolean
	/** Unix milliseconds. */
	now: number
}

/** A change takes about this long when nothing delays it. */
const secondsPerWrite = 0.5
const windowSeconds = 3600

/** Pure. `seconds` waits for as many windows as the calls need. */
export function plannedPrice({writes, reads, usesReserve, now}: Plan, quota: QuotaState | null): Price {
	const calls = writes + reads
	if (quota === null) {
		const seconds = Math.ceil(writes * secondsPerWrite)
		const sentence = `${counted(calls, nouns.call)}; the API limit is not known yet.`
		return {writes, reads, calls, leaves: null, resetAt: null, seconds, sentence}
	}
	const {open, kept} = shareOut(quota, usesReserve, now)
	const wait = waitSeconds(quota, calls - open, usesReserve, now)
	const leaves = Math.max(0, open - calls)
	const seconds = Math.ceil(writes * secondsPerWrite) + wait.last
	return {writes, reads, calls, leaves, resetAt: quota.resetAt, seconds, sentence: sentenceOf(calls, open, kept, wait)}
}

/** Of the calls that are left: those open to this change, and those kept from it. */
function shareOut({resetAt, limit, remaining, reserve, reserved}: QuotaState, usesReserve: boolean, now: number) {
	const left = now >= Date.parse(resetAt) ? limit : remaining
	if (usesReserve) return {open: left, kept: null}
	const releases = Math.min(reserve, left)
	const jobs = Math.min(reserved, left - releases)
	return {open: left - releases - jobs, kept: {releases, jobs}}
}

/** Until the next window begins, and until the one of the last call. */
function waitSeconds({limit, reserve, resetAt}: QuotaState, missing: number, usesReserve: boolean, now: number) {
	if (missing <= 0) return {next: 0, last: 0}
	const perWindow = Math.max(1, limit - (usesReserve ? 0 : reserve))
	const left = (Date.parse(resetAt) - now) / 1000
	const next = Math.ceil(left > 0 ? left : windowSeconds)
	return {next, last: next + (Math.ceil(missing / perWindow) - 1) * windowSeconds}
}

function sentenceOf(calls: number, open: number, kept: ReturnType<typeof shareOut>['kept'], wait: {next: number; last: number}) {
	const all = counted(calls, nouns.call)
	const price = `${all} of ${formatCount(open)}`
	const jobs = kept === null || kept.jobs === 0 ? '' : ` and ${formatCount(kept.jobs)} for jobs`
	const rest = kept === null || kept.releases + kept.jobs === 0 ? '' : `, plus ${formatCount(kept.releases)} kept for releases${jobs}`
	if (calls <= open) return `${price}; ${formatCount(open - calls)} left this hour${rest}.`
	const last = wait.last > wait.next ? `, the last ${formatDuration(wait.last * 1000)}` : ''
	const next = `${formatDuration(wait.next * 1000)} for the reset${last}`
	return open === 0 ? `${all}, after a wait of ${next}.` : `${price}${rest}; the rest waits ${next}.`
}

/* Guard rules in `profile.db`: unchanged ones have their defaults, and every process reads them fresh. */

/** Throws `storage` when they cannot be read as rules: then nothing is allowed. */
function readRules(database: Database, connection: string) {
	const row = database.get<{rules: string}>('SELECT rules FROM guard_rules WHERE connection = ?', connection)
	if (row === undefined) return defaultGuardRules
	const parsed = guardRulesSchema.safeParse(parsedJson(row.rules))
	if (parsed.success) return parsed.data
	throw new CordonError('storage', 'The guard rules of this connection cannot be read: no change is let pass.', {
		fix: 'Open Connections and save the guard rules again.'
	})
}

/** The change and its entry are stored together or not at all. */
function writeRules({database, note}: GuardsOptions, connection: Connection, rules: GuardRules, surface: Surface) {
	const before = readable(database, connection.id)
	const after = tidy(rules)
	database.transaction(
		() => {
			database.run('INSERT OR REPLACE INTO guard_rules VALUES (?, ?)', connection.id, JSON.stringify(after))
			note(entryOf(connection, surface, before, after))
		},
		{durable: true}
	)
}

function readable(database: Database, connection: string) {
	try {
		return readRules(database, connection)
	} catch {
		return null
	}
}

function entryOf({id, name, url}: Connection, surface: Surface, before: GuardRules | null, after: GuardRules): NewEntry {
	const changed = changedParts(before, after)
	return {
		kind: 'connection.changed',
		surface,
		message: `Guard rules of ${name} changed (${changed.join(', ') || 'saved again'}).`,
		connection: {id, name, url},
		data: {before, after}
	}
}

const titles: Readonly<Record<keyof GuardRules, string>> = {
	protected: 'protected computers',
	rolling: 'rolling limit',
	wide: 'what counts as many',
	largestJob: 'largest job',
	prevalentHash: 'hash seen by many',
	splitServers: 'servers apart',
	lineReason: 'reason on lines',
	approval: 'approval by others',
	windows: 'maintenance windows',
	origins: 'origins of playbooks',
	leaseHours: 'proposed lease'
}

function changedParts(before: GuardRules | null, after: GuardRules) {
	const names = Object.keys(titles) as (keyof GuardRules)[] // the keys of the literal above
	return names.filter(name => JSON.stringify(before?.[name]) !== JSON.stringify(after[name])).map(name => titles[name])
}

/** Removes duplicates and empty items. */
function tidy(rules: GuardRules): GuardRules {
	const {guids, names, groups, roles} = rules.protected
	const clean = (list: readonly string[]) => [...new Set(list.map(text => text.trim()).filter(Boolean))]
	return {
		...rules,
		protected: {
			guids: clean(guids.map(guid => guid.toLowerCase())),
			names: clean(names),
			groups: clean(groups.map(group => group.toLowerCase())),
			roles: [...new Set(roles)]
		}
	}
}
