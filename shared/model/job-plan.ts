/** A plan as a file: checked completely before use. It may come from anywhere. */
import {z} from 'zod'

import {isGuid, isSha256, normalGuid, normalSha256} from './formats.ts'
import type {JobAction, JobPlan} from './job.ts'

export const largestPlan = 100_000

const text = (most: number) =>
	z
		.string()
		.max(most, `has more than ${most} characters`)
		.refine(value => value.isWellFormed() && !hasControls(value), 'holds characters that cannot be shown')
const reason = text(1000).trim().min(1, 'is empty: say why')
const number = text(100).trim().nullable()
const ticket = number.default(null)
/** Without a default: the digest of an earlier version's plan has no ticket. */
const why = {reason, ticket: number.optional()}
const guid = z.string().refine(isGuid, 'is not a GUID').transform(normalGuid)
const sha256 = z.string().refine(isSha256, 'is not a SHA-256').transform(normalSha256)
const time = z.iso.datetime('is not an ISO 8601 time in UTC')
const count = z.int().min(0)

export const policyJobProducts = ['windows', 'mac', 'linux', 'android'] as const

export const jobActionSchema = z.discriminatedUnion('kind', [
	z.strictObject({
		kind: z.literal('isolate'),
		reason,
		ticket,
		code: z.enum(['generated', 'service']).default('generated'),
		lease: z.strictObject({hours: z.int().min(1).max(8760).nullable(), auto: z.boolean()}).default({hours: null, auto: false})
	}),
	z.strictObject({kind: z.literal('release'), reason, ticket}),
	z.strictObject({kind: z.literal('move'), group: guid, ...why}),
	z.strictObject({
		kind: z.literal('policies'),
		policies: z.partialRecord(z.enum(policyJobProducts), guid).refine(policies => Object.keys(policies).length > 0, 'names no policy'),
		...why
	}),
	z.strictObject({kind: z.enum(['add_hashes', 'remove_hashes']), list: guid, ...why}),
	z.strictObject({kind: z.literal('change_hashes'), list: guid, removes: z.array(sha256).max(largestPlan), ...why})
])

const observed = z.record(text(40), z.union([text(2000), z.boolean(), z.null()]))

const target = z.strictObject({
	id: z.union([guid, sha256], 'is neither a GUID nor a SHA-256'),
	label: text(300),
	observed,
	observedAt: time,
	note: text(2000).nullable(),
	warnings: z.array(text(500)).max(20)
})

const leftOut = z.strictObject({
	id: text(300),
	label: text(300),
	kind: z.enum(['protected', 'nothing_to_do', 'not_possible', 'not_found', 'duplicate', 'review', 'invalid']),
	message: text(1000)
})

const confirmation = z.discriminatedUnion('kind', [
	z.strictObject({kind: z.literal('button')}),
	z.strictObject({kind: z.literal('reason'), hold: z.boolean()}),
	z.strictObject({kind: z.literal('name'), expected: text(300)}),
	z.strictObject({kind: z.literal('count'), expected: count})
])

const planSchema = z.strictObject({
	format: z.literal('cordon-plan/1', 'is not "cordon-plan/1"'),
	id: z.string().regex(/^[0-9A-Z]{26}$/, 'is not an id of a plan'),
	createdAt: time,
	createdBy: text(200),
	connection: z.strictObject({id: text(100), name: text(60), url: z.url('is not an address')}),
	profile: text(100).optional(),
	action: jobActionSchema,
	targets: z.array(target).min(1, 'is empty').max(largestPlan, `has more than ${largestPlan} targets`),
	leftOut: z.array(leftOut).max(largestPlan),
	protected: z.array(z.strictObject({id: text(300), label: text(300), rule: text(60), message: text(1000)})).max(largestPlan),
	tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
	confirmation,
	because: z.array(text(1000)).max(100),
	cost: z.strictObject({writes: count, reads: count, calls: count, leaves: count.nullable(), seconds: count}),
	waves: z.array(z.int().min(1)).min(1).max(20),
	stopShare: z.number().min(0).max(1),
	digest: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256')
})

export interface PlanProblem {
	/** Path such as `targets.3.id`; empty for the file as a whole. */
	readonly field: string
	/** Follows the field: "is no GUID". */
	readonly problem: string
}

/** The plan, or its problem. The caller compares its digest. */
export function checkPlan(value: unknown): {plan: JobPlan} | {problems: readonly PlanProblem[]} {
	const parsed = planSchema.safeParse(value)
	if (!parsed.success) return {problems: parsed.error.issues.slice(0, 20).map(problemOf)}
	// The schema has exactly the fields of the type; the interface only narrows the observed values.
	const plan = parsed.data as JobPlan
	const problems = contradictions(plan)
	return problems.length > 0 ? {problems} : {plan}
}

function contradictions({action, targets, waves}: JobPlan) {
	const problems: PlanProblem[] = []
	const fits = isHashAction(action) ? isSha256 : isGuid
	const ids = new Set<string>()
	for (const [index, {id}] of targets.entries()) {
		if (!fits(id)) problems.push({field: `targets.${index}.id`, problem: `does not fit the action ${action.kind}`})
		if (ids.has(id)) problems.push({field: `targets.${index}.id`, problem: 'is there twice'})
		ids.add(id)
		if (problems.length >= 20) return problems
	}
	const sum = waves.reduce((total, size) => total + size, 0)
	if (sum !== targets.length) problems.push({field: 'waves', problem: `have ${sum} targets together, the plan has ${targets.length}`})
	return problems
}

function isHashAction(action: JobAction) {
	return action.kind === 'add_hashes' || action.kind === 'remove_hashes' || action.kind === 'change_hashes'
}

function problemOf(issue: z.core.$ZodIssue): PlanProblem {
	const path = issue.path.map(String)
	if (issue.code === 'unrecognized_keys') return {field: [...path, issue.keys[0] ?? ''].join('.'), problem: 'is not a field of a plan'}
	const missing = issue.code === 'invalid_type' && issue.input === undefined
	return {field: path.join('.'), problem: missing ? 'is missing or of another type' : lower(issue.message)}
}

function lower(message: string) {
	return message.charAt(0).toLowerCase() + message.slice(1)
}

function hasControls(value: string) {
	return /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(value)
}
