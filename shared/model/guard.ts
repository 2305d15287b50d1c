/**
 * Protection against costly mistakes: rules of a connection, and their judgement of a change before it is sent (UX research, part
 * 4: tiers by blast radius, SR1 to SR25).
 */
import {z} from 'zod'

import type {HashFacts} from './hash-marks.ts'
import {readOrigin} from './origin.ts'
import {readWindow} from './window.ts'

/** A computer's function in the organisation. Labels of this console, unknown to the service. */
export const computerRoles = ['domain_controller', 'hypervisor', 'server', 'infrastructure', 'jump_host', 'vip'] as const
export type ComputerRole = (typeof computerRoles)[number]

export const computerRoleTitles: Readonly<Record<ComputerRole, string>> = {
	domain_controller: 'Domain controller',
	hypervisor: 'Hypervisor',
	server: 'Server',
	infrastructure: 'DNS or DHCP',
	jump_host: 'Jump host',
	vip: 'VIP'
}

/** Changes judged by the guards, by their effect. */
export const guardedActions = ['isolate', 'release', 'move', 'policies', 'add_hashes', 'remove_hashes', 'change_hashes'] as const
export type GuardedAction = (typeof guardedActions)[number]

const count = z.int().min(1).max(100_000)

/** Guard rules of one connection. Each field has a default, so that rules stored earlier stay readable. */
export const guardRulesSchema = z.object({
	/** Never isolated, moved or otherwise changed by a job, even if selected. */
	protected: z
		.object({
			guids: z.array(z.string()).default([]),
			/** Host name patterns with `*` and `?`, not case-sensitive. */
			names: z.array(z.string().min(1)).default([]),
			/** GUIDs of groups, including their subgroups. */
			groups: z.array(z.string()).default([]),
			roles: z.array(z.enum(computerRoles)).default([])
		})
		.default({guids: [], names: [], groups: [], roles: []}),
	/** Isolations within a rolling period above which each further one is of tier 3 (SR8). */
	rolling: z.object({isolations: count.default(10), hours: z.int().min(1).max(168).default(24)}).default({isolations: 10, hours: 24}),
	/** More targets than this are tier 3. */
	wide: z
		.object({isolate: count.default(5), release: count.default(25), move: count.default(25), hashes: count.default(50)})
		.default({isolate: 5, release: 25, move: 25, hashes: 50}),
	/** Maximum targets of a job. */
	largestJob: count.default(10_000),
	/** A hash seen by this many computers is tier 3 (SR15). */
	prevalentHash: count.default(25),
	/** Servers in a bulk isolation go to a separate list with its own confirmation (SR5). */
	splitServers: z.boolean().default(true),
	/**
	 * A command line, automation or playbook needs a reason too, as screens always do. Otherwise only on production, because
	 * commands have an optional comment; their releases are never blocked by it.
	 */
	lineReason: z.boolean().default(false),
	/**
	 * Changes that need signatures of others (SR18): all, those of servers, or of more targets than this. A release is a rescue,
	 * and needs none.
	 */
	approval: z
		.object({
			always: z.boolean().default(false),
			servers: z.boolean().default(false),
			above: count.nullable().default(null),
			needed: z.int().min(1).max(5).default(1),
			/** Of trusted keys; empty: any. */
			groups: z.array(z.string().trim().min(1).max(100)).max(20).default([])
		})
		.default({always: false, servers: false, above: null, needed: 1, groups: []}),
	/** Maintenance windows (SR19), one per line: see `window.ts`. */
	windows: z
		.array(
			z
				.string()
				.max(2000)
				.refine(text => readWindow(text) !== undefined, 'is not a maintenance window')
		)
		.max(50)
		.default([]),
	/** Origins that playbooks may send requests to, besides Cordon's own address: see `origin.ts`. */
	origins: z
		.array(
			z
				.string()
				.max(300)
				.refine(text => readOrigin(text) !== undefined, 'is not an origin such as https://tickets.example.org')
		)
		.max(50)
		.default([]),
	/** Proposed lease of an isolation in hours; `null`: until released. */
	leaseHours: z.int().min(1).max(720).nullable().default(24)
})
export type GuardRules = z.infer<typeof guardRulesSchema>

/** Required agreement: `tier` 1 a button that names the effect, 2 with a reason, 3 typed. */
export type Confirmation =
	| {kind: 'button'}
	/** Reason required; the focus is not on the button. `hold`: on production it is pressed for a second, never for a release. */
	| {kind: 'reason'; hold: boolean}
	/** Type the host name. */
	| {kind: 'name'; expected: string}
	/** Type the number of targets. */
	| {kind: 'count'; expected: number}

export type Tier = 1 | 2 | 3

export interface GuardTarget extends HashFacts {
	readonly id: string
	readonly label: string
	/** Assigned roles; guessed ones separately: both cause tier 3, only assigned ones protect. */
	readonly roles: readonly ComputerRole[]
	readonly guessedRoles: readonly ComputerRole[]
	/** Its group and the ancestors. */
	readonly groups: readonly string[]
	/** For groups: number of subgroups. */
	readonly below?: number
	/** For hashes of a mixed change: this one is removed, which blocks nothing. */
	readonly removes?: boolean
}

/** Why a target is skipped, in words. */
export type GuardRefusal = Readonly<{
	id: string
	label: string
	/** Stable word: `maintenance_window`, `protected_guid`, `protected_name`, `protected_group`, `protected_role`, `empty_file`, `placeholder`. */
	rule: string
	message: string
}>

/** The judgement of the rules about a change of several targets. Sends nothing. */
export type GuardJudgement = Readonly<{
	/** The whole change is refused, whatever is confirmed: read-only, locked, no targets, too many. */
	refused: {code: string; message: string} | null
	/** Skipped targets. */
	protected: readonly GuardRefusal[]
	/** Servers and similar, split off for a separate confirmation. */
	review: readonly {id: string; label: string; roles: readonly ComputerRole[]}[]
	tier: Tier
	confirmation: Confirmation
	/** Reasons for the tier, in sentences. */
	because: readonly string[]
	/** Approval by others; `null`: not needed. */
	approval: {needed: number; groups: readonly string[]; because: string} | null
	/** Isolations sent within the rolling period, for isolations only. */
	rolling: {used: number; limit: number; hours: number} | null
}>

/** The operator's agreement to a change. Parts not required by the tier are ignored. */
export const agreementSchema = z.object({
	/** The reason; the comment of an isolation or release counts too. */
	reason: z.string().trim().max(2000).optional(),
	ticket: z.string().trim().max(200).optional(),
	/** The typed host name or number of targets. */
	confirm: z.string().max(300).optional()
})
export type Agreement = z.infer<typeof agreementSchema>

/** The cost of a change, and the rest. */
export type Price = Readonly<{
	/** Calls that change something, and their reads (maximum wait for agents). */
	writes: number
	reads: number
	calls: number
	/** Calls left in this window afterwards, without the reserve and jobs' reservations; `null`: unknown. */
	leaves: number | null
	/** When the next window begins; ISO 8601. */
	resetAt: string | null
	/** At the API limit's pace, without waiting for agents. */
	seconds: number
	sentence: string
}>

/** Shown by a dialog before a change. */
export interface GuardAnswer {
	readonly judgement: GuardJudgement
	readonly price: Price
}

export const defaultGuardRules: GuardRules = guardRulesSchema.parse({})
