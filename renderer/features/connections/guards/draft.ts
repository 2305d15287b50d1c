import {guardRulesSchema, type GuardRules} from '#model/guard.ts'
import {readOrigin} from '#model/origin.ts'
import {readWindow} from '#model/window.ts'
import {linesOf} from '#ui/form.ts'

/** Strings, so that partial numbers can be typed. */
export type RulesDraft = ReturnType<typeof draftOf>

const numberFields = [
	'rollingIsolations',
	'rollingHours',
	'wideIsolate',
	'wideRelease',
	'wideMove',
	'wideHashes',
	'largestJob',
	'prevalentHash',
	'approvalAbove',
	'approvalNeeded'
] as const
export type NumberField = (typeof numberFields)[number]

/** By the member of the draft. */
interface DraftProblems {
	rest?: string
	[place: string]: string | undefined
}

const largest: Readonly<Record<NumberField, number>> = {
	rollingIsolations: 100_000,
	rollingHours: 168,
	wideIsolate: 100_000,
	wideRelease: 100_000,
	wideMove: 100_000,
	wideHashes: 100_000,
	largestJob: 100_000,
	prevalentHash: 100_000,
	approvalAbove: 100_000,
	approvalNeeded: 5
}

export function draftOf({protected: kept, rolling, wide, ...rules}: GuardRules) {
	return {
		guids: kept.guids.join('\n'),
		names: kept.names.join('\n'),
		groups: kept.groups,
		roles: kept.roles,
		numbers: {
			rollingIsolations: String(rolling.isolations),
			rollingHours: String(rolling.hours),
			wideIsolate: String(wide.isolate),
			wideRelease: String(wide.release),
			wideMove: String(wide.move),
			wideHashes: String(wide.hashes),
			largestJob: String(rules.largestJob),
			prevalentHash: String(rules.prevalentHash),
			approvalAbove: String(rules.approval.above ?? ''),
			approvalNeeded: String(rules.approval.needed)
		},
		splitServers: rules.splitServers,
		lineReason: rules.lineReason,
		approval: rules.approval,
		/** Groups of the keys that may sign. */
		approvers: rules.approval.groups.join(', '),
		windows: rules.windows.join('\n'),
		origins: rules.origins.join('\n'),
		/** `null`: until released. */
		leaseHours: rules.leaseHours
	}
}

/** `rules` is `null` while a field is invalid. */
export function rulesOf(draft: RulesDraft): {rules: GuardRules | null; problems: DraftProblems} {
	const bad = linesOf(draft.windows).find(line => readWindow(line) === undefined)
	const strange = linesOf(draft.origins).find(line => readOrigin(line) === undefined)
	const problems = Object.fromEntries([
		...numberFields.flatMap(field => {
			const isLeft = field === 'approvalAbove' && draft.numbers[field].trim() === ''
			const problem = isLeft ? null : problemOf(draft.numbers[field], largest[field])
			return problem === null ? [] : [[field, problem]]
		}),
		...(bad === undefined ? [] : [['windows', `${bad} is not a maintenance window.`]]),
		...(strange === undefined ? [] : [['origins', `${strange} is not an origin.`]])
	])
	if (Object.keys(problems).length > 0) return {rules: null, problems}
	const number = (field: NumberField) => Number(draft.numbers[field])
	const {data, error} = guardRulesSchema.safeParse({
		protected: {
			guids: valuesOf(draft.guids).map(guid => guid.toLowerCase()),
			names: valuesOf(draft.names),
			groups: draft.groups,
			roles: draft.roles
		},
		rolling: {isolations: number('rollingIsolations'), hours: number('rollingHours')},
		wide: {isolate: number('wideIsolate'), release: number('wideRelease'), move: number('wideMove'), hashes: number('wideHashes')},
		largestJob: number('largestJob'),
		prevalentHash: number('prevalentHash'),
		splitServers: draft.splitServers,
		lineReason: draft.lineReason,
		approval: {...draft.approval, above: number('approvalAbove') || null, needed: number('approvalNeeded'), groups: valuesOf(draft.approvers)},
		windows: linesOf(draft.windows),
		origins: linesOf(draft.origins),
		leaseHours: draft.leaseHours
	})
	const rest = error?.issues.map(({path, message}) => `${path.join(' ')}: ${message}.`).join(' ')
	return {rules: data ?? null, problems: rest === undefined ? problems : {rest}}
}

function valuesOf(text: string) {
	return [...new Set(text.split(/[\n,]/).map(line => line.trim()))].filter(line => line !== '')
}

function problemOf(text: string, most: number) {
	const isWhole = /^\d+$/.test(text.trim())
	if (isWhole && Number(text) >= 1 && Number(text) <= most) return null
	return `A whole number from 1 to ${most.toLocaleString('en-US')}.`
}
