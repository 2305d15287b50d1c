/**
 * What the rules of a connection say about a change before it is sent: which targets are skipped, how it must be confirmed,
 * and why (UX research, 4.1). Pure: the caller supplies the facts.
 */
import {
	computerRoles,
	computerRoleTitles,
	type Confirmation,
	type GuardJudgement,
	type GuardRefusal,
	type GuardRules,
	type GuardTarget,
	type GuardedAction,
	type Tier
} from '#model/guard.ts'
import {dangersOf} from '#model/hash-marks.ts'
import {asRead} from '#model/typed.ts'
import {isInside, readWindow} from '#model/window.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {protectedBy, refusedHash} from './protection.ts'

export interface JudgeFacts {
	rules: GuardRules
	action: GuardedAction
	targets: readonly GuardTarget[]
	production: boolean
	/** Why nothing can be written; `null` when it can. */
	readOnly: string | null
	/** Isolations sent within the rolling span. */
	isolations: number
	/** The operator reviewed the servers among the targets: they are not split off again. */
	reviewed: boolean
	now: number
	/** For a part of a job: a window that opened since then was not confirmed. */
	confirmedAt?: number | undefined
}

interface Findings {
	tier: Tier
	because: readonly string[]
}

export function judgeChange(facts: JudgeFacts): GuardJudgement {
	const refusals = refusalsOf(facts)
	const refusedIds = new Set(refusals.map(({id}) => id))
	const open = facts.targets.filter(({id}) => !refusedIds.has(id))
	const review = splitOff(facts, open)
	const reviewIds = new Set(review.map(({id}) => id))
	const left = open.filter(({id}) => !reviewIds.has(id))
	const {tier, because} = findingsOn(facts, left)
	return {
		refused: wholeRefusal(facts, left, refusals),
		protected: refusals,
		review,
		tier,
		confirmation: confirmationOf(facts, tier, left),
		because,
		approval: approvalOf(facts, left),
		rolling: facts.action === 'isolate' ? rollingOf(facts) : null
	}
}

function rollingOf({rules, isolations}: JudgeFacts): GuardJudgement['rolling'] {
	return {used: isolations, limit: rules.rolling.isolations, hours: rules.rolling.hours}
}

/** SR18: a second person, whatever the tier. */
function approvalOf({rules, action}: JudgeFacts, left: readonly GuardTarget[]): GuardJudgement['approval'] {
	if (action === 'release') return null
	const {always, servers, above, needed, groups} = rules.approval
	const server = servers ? left.find(target => allRoles(target).length > 0) : undefined
	const because = always
		? 'Every change of this connection needs approval.'
		: server !== undefined
			? `${server.label} is a server, whose changes need approval.`
			: above !== null && left.length > above
				? `Changes of more than ${counted(above, nouns.target)} need approval.`
				: null
	return because === null ? null : {needed, groups, because}
}

/** A release is a rescue: no rule refuses it. */
function refusalsOf(facts: JudgeFacts): readonly GuardRefusal[] {
	const {rules, action, targets} = facts
	if (action === 'release' || action === 'remove_hashes') return []
	const check = (target: GuardTarget) =>
		blocks(action) ? (target.removes === true ? null : refusedHash(target)) : (protectedBy(rules, target) ?? outsideWindow(facts, target))
	return targets.map(check).filter(refusal => refusal !== null)
}

/** SR19: moves and policies only inside a window; a job isolates nothing in a window that opened after its confirmation. */
function outsideWindow(facts: JudgeFacts, target: GuardTarget) {
	const {id, label} = target
	const refusal = (why: string) => ({id, label, rule: 'maintenance_window', message: `${label}: ${why}.`})
	if (facts.action === 'isolate') {
		const {confirmedAt} = facts
		const open = confirmedAt === undefined ? undefined : windowAround(facts, target)
		if (open === undefined || confirmedAt === undefined || isInside(open.window, confirmedAt)) return null
		return refusal(`a maintenance window has begun (${open.text})`)
	}
	const only = windowsOf(facts.rules, 'change only', target)
	if (only.length === 0 || only.some(({window}) => isInside(window, facts.now))) return null
	return refusal(`changes are allowed only in its maintenance windows (${only.map(({text}) => text).join('; ')})`)
}

function windowAround({rules, now}: JudgeFacts, target: GuardTarget) {
	return windowsOf(rules, 'isolate never', target).find(({window}) => isInside(window, now))
}

function windowsOf({windows}: GuardRules, kind: 'isolate never' | 'change only', {id, groups}: GuardTarget) {
	const own = new Set([id, ...groups].map(guid => guid.toLowerCase()))
	return windows.flatMap(text => {
		const window = readWindow(text)
		const holds = window?.kind === kind && (window.groups.length === 0 || window.groups.some(one => own.has(one)))
		return holds ? [{text, window}] : []
	})
}

function blocks(action: GuardedAction) {
	return action === 'add_hashes' || action === 'change_hashes'
}

/** SR5: among several computers, those that others depend on need a confirmation of their own. */
function splitOff({rules, action, targets, reviewed}: JudgeFacts, open: readonly GuardTarget[]): GuardJudgement['review'] {
	if (action !== 'isolate' || reviewed || !rules.splitServers || targets.length < 2) return []
	return open.flatMap(target => {
		const roles = allRoles(target)
		return roles.length === 0 ? [] : [{id: target.id, label: target.label, roles}]
	})
}

function wholeRefusal({rules, readOnly, targets}: JudgeFacts, left: readonly GuardTarget[], refusals: readonly GuardRefusal[]) {
	if (readOnly !== null) return {code: 'read_only', message: readOnly}
	if (targets.length === 0) return {code: 'usage', message: 'There are no targets: "none" is an error, and "all" has to be listed.'}
	const [only] = refusals
	if (targets.length === 1 && only !== undefined) return {code: 'protected', message: only.message}
	if (targets.length === refusals.length) return {code: 'protected', message: 'Every target is protected by the guard rules of this connection.'}
	if (left.length > rules.largestJob)
		return {
			code: 'usage',
			message: `These are ${counted(left.length, nouns.target)}; the guard rules allow ${formatCount(rules.largestJob)} in one job.`
		}
	return null
}

function findingsOn(facts: JudgeFacts, left: readonly GuardTarget[]): Findings {
	const wide = widthOf(facts, left.length)
	const reasons = [...critical(facts, left), ...(wide === null ? [] : [wide]), ...overRolling(facts, left.length)]
	if (reasons.length > 0) return {tier: 3, because: reasons}
	return usual(facts.action, left.length)
}

/** Reasons that make a change critical whatever the number of targets. */
function critical(facts: JudgeFacts, left: readonly GuardTarget[]) {
	const {rules, action} = facts
	switch (action) {
		case 'isolate':
			return [...roleSentences(left), ...windowSentences(facts, left)]
		case 'policies':
			return left
				.filter(({below = 0}) => below > 0)
				.slice(0, 3)
				.map(({label, below = 0}) => `${label} has ${counted(below, nouns.group)} below it, which may inherit this.`)
		case 'add_hashes':
		case 'change_hashes':
			return hashSentences(
				rules,
				left.filter(({removes}) => removes !== true)
			)
		default:
			return []
	}
}

function windowSentences(facts: JudgeFacts, left: readonly GuardTarget[]) {
	const found = left.flatMap(target => windowAround(facts, target) ?? [])
	return [...new Set(found.map(({text}) => text))].map(text => `A maintenance window forbids isolations now: ${text}.`)
}

function roleSentences(left: readonly GuardTarget[]) {
	return computerRoles.flatMap(role => {
		const having = left.filter(target => allRoles(target).includes(role))
		const [first] = having
		if (first === undefined) return []
		const title = computerRoleTitles[role]
		if (having.length > 1) return [`${formatCount(having.length)} of them have the role ${title}.`]
		return [
			first.roles.includes(role)
				? `${first.label} has the role ${title}: others depend on it.`
				: `${first.label} looks like this: ${title}. Others may depend on it.`
		]
	})
}

/** Nobody reads more than this; of ten thousand hashes the number is enough. */
const mostSentences = 5

function hashSentences(rules: GuardRules, left: readonly GuardTarget[]) {
	const all = sentencesOf(rules, left)
	const more = all.length - mostSentences
	return more <= 0 ? all : [...all.slice(0, mostSentences), `The same goes for ${formatCount(more)} more.`]
}

function sentencesOf(rules: GuardRules, left: readonly GuardTarget[]) {
	return left.flatMap(target => dangersOf(target.id, target, rules.prevalentHash, target.label).map(({message}) => message))
}

/** The sentence names the limit beyond which a change is wide. */
function widthOf({rules, action}: JudgeFacts, count: number) {
	const {isolate, release, move, hashes} = rules.wide
	const limits: Readonly<Record<GuardedAction, number>> = {
		isolate,
		release,
		move,
		policies: move,
		add_hashes: hashes,
		remove_hashes: hashes,
		change_hashes: hashes
	}
	const limit = limits[action]
	return count > limit ? `${counted(count, nouns.target)}: more than ${formatCount(limit)} at once.` : null
}

function overRolling({rules, action, isolations}: JudgeFacts, count: number) {
	const {isolations: limit, hours} = rules.rolling
	if (action !== 'isolate' || count === 0 || isolations + count <= limit) return []
	const so = isolations === 0 ? 'None was' : counted(isolations, ['was', 'were'])
	return [`${so} isolated in the last ${hours} hours, running jobs included; beyond ${limit} the guard rules ask for more.`]
}

const singles: Readonly<Record<GuardedAction, Findings>> = {
	isolate: {tier: 2, because: ['An isolation cuts a person off the network.']},
	release: {tier: 2, because: ['A release lets a computer back onto the network.']},
	move: {tier: 1, because: ['One computer, and it can be moved back.']},
	policies: {tier: 2, because: ['Every computer of the group gets the policy.']},
	add_hashes: {tier: 1, because: ['One hash, and it can be taken off again.']},
	remove_hashes: {tier: 1, because: ['One hash, and it can be put back.']},
	change_hashes: {tier: 1, because: ['One hash, and it can be undone.']}
}

function usual(action: GuardedAction, count: number): Findings {
	if (count <= 1) return singles[action]
	return {tier: 2, because: [`${counted(count, nouns.target)} at once.`]}
}

function confirmationOf({action, production}: JudgeFacts, tier: Tier, left: readonly GuardTarget[]): Confirmation {
	const [only, ...others] = left
	if (tier === 1) return {kind: 'button'}
	if (tier === 2) return {kind: 'reason', hold: production && action === 'isolate'}
	if (only !== undefined && others.length === 0) return {kind: 'name', expected: typedName(only, action)}
	return {kind: 'count', expected: left.length}
}

/** Nobody types a whole hash, or a name of blanks. */
function typedName({id, label}: GuardTarget, action: GuardedAction) {
	if (blocks(action) || action === 'remove_hashes') return id.slice(0, 8)
	return asRead(label) === '' ? id : label
}

function allRoles({roles, guessedRoles}: GuardTarget) {
	return computerRoles.filter(role => roles.includes(role) || guessedRoles.includes(role))
}
