/**
 * What keeps a slip from becoming an outage: rules of a connection, and what they say about a change before it is sent
 * (UX research, part 4: tiers by blast radius, SR1 to SR25).
 */
import {z} from 'zod'

import type {HashFacts} from './hash-marks.ts'
import {readOrigin} from './origin.ts'
import {readWindow} from './window.ts'

/** What a computer is to the people who run it. Labels of this console: the service knows none. */
export const computerRoles = ['domain_controller', 'hypervisor', 'server', 'infrastructure', 'jump_host', 'vip'] as const
export type ComputerRole = (typeof computerRoles)[number]

export const computerRoleTitles: Readonly<Record<ComputerRole, string>> = {
	domain_controller: 'Domain controller',
	hypervisor: 'Hypervisor',
	server: 'Server',
	infrastructure: 'DNS or DHCP',
	jump_host: 'Jump host',
	vip: 'VIP',
}

/** Changes that guards know, by what they do to the world. */
export const guardedActions = ['isolate', 'release', 'move', 'policies', 'add_hashes', 'remove_hashes', 'change_hashes'] as const
export type GuardedAction = (typeof guardedActions)[number]

const count = z.int().min(1).max(100_000)

/** Guard rules of one connection. Each field has its default, so that rules stored earlier stay readable. */
export const guardRulesSchema = z.object({
	/** Never isolated, moved or otherwise changed by a job, even if selected. */
	protected: z
		.object({
			guids: z.array(z.string()).default([]),
			/** Host name patterns with `*` and `?`, not case-sensitive. */
			names: z.array(z.string().min(1)).default([]),
			/** GUIDs of groups; those below them count too. */
			groups: z.array(z.string()).default([]),
			roles: z.array(z.enum(computerRoles)).default([]),
		})
		.default({guids: [], names: [], groups: [], roles: []}),
	/** Isolations within a rolling span above which each further one is of tier 3 (SR8). */
	rolling: z
		.object({isolations: count.default(10), hours: z.int().min(1).max(168).default(24)})
		.default({isolations: 10, hours: 24}),
	/** More targets than this are of tier 3. */
	wide: z
		.object({isolate: count.default(5), release: count.default(25), move: count.default(25), hashes: count.default(50)})
		.default({isolate: 5, release: 25, move: 25, hashes: 50}),
	/** No job has more targets than this. */
	largestJob: count.default(10_000),
	/** A hash that this many computers have seen is of tier 3 (SR15). */
	prevalentHash: count.default(25),
	/** Servers found in a bulk isolation go to a list of their own with its own confirmation (SR5). */
	splitServers: z.boolean().default(true),
	/**
	 * A line, an automation or a playbook needs a reason too, as the screens always do. Without it they need one on
	 * production alone, because the comment is optional in the commands; a release by them is never held up by it.
	 */
	lineReason: z.boolean().default(false),
	/**
	 * Changes that need the signatures of others (SR18): all of them, those of servers, or of more targets than this. A
	 * release is a rescue, and needs none.
	 */
	approval: z
		.object({
			always: z.boolean().default(false),
			servers: z.boolean().default(false),
			above: count.nullable().default(null),
			needed: z.int().min(1).max(5).default(1),
			/** Of trusted keys; empty: any. */
			groups: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
		})
		.default({always: false, servers: false, above: null, needed: 1, groups: []}),
	/** Maintenance windows (SR19), one a line: see `window.ts`. */
	windows: z
		.array(
			z
				.string()
				.max(2000)
				.refine(text => readWindow(text) !== undefined, 'is no maintenance window'),
		)
		.max(50)
		.default([]),
	/** Origins that playbooks may send requests to, beside Cordon's own address: see `origin.ts`. */
	origins: z
		.array(
			z
				.string()
				.max(300)
				.refine(text => readOrigin(text) !== undefined, 'is no origin such as https://tickets.example.org'),
		)
		.max(50)
		.default([]),
	/** Proposed lease of an isolation in hours; `null`: until released. */
	leaseHours: z.int().min(1).max(720).nullable().default(24),
})
export type GuardRules = z.infer<typeof guardRulesSchema>

/** How a person must agree: `tier` 0 not at all, 1 a button that names the effect, 2 with a reason, 3 typed. */
export type Confirmation =
	| {readonly kind: 'none'}
	| {readonly kind: 'button'}
	/** Reason required; focus is not on the button. `hold`: on production it is pressed for a second, never for a release. */
	| {readonly kind: 'reason'; readonly hold: boolean}
	/** The host name is typed. */
	| {readonly kind: 'name'; readonly expected: string}
	/** The number of targets is typed. */
	| {readonly kind: 'count'; readonly expected: number}

export type Tier = 0 | 1 | 2 | 3

/** One target as the guards see it. */
export interface GuardTarget extends HashFacts {
	readonly id: string
	readonly label: string
	/** Roles that a person gave it, and guessed ones apart: both make tier 3, only given ones protect. */
	readonly roles: readonly ComputerRole[]
	readonly guessedRoles: readonly ComputerRole[]
	/** Its group and those above it. */
	readonly groups: readonly string[]
	/** For groups: how many groups are below it. */
	readonly below?: number
	/** For hashes of a mixed change: this one is taken off, which blocks nothing. */
	readonly removes?: boolean
}

/** Why a target is not touched, in words. */
export interface GuardRefusal {
	readonly id: string
	readonly label: string
	/** Stable word: `maintenance_window`, `protected_guid`, `protected_name`, `protected_group`, `protected_role`, `empty_file`, `placeholder`. */
	readonly rule: string
	readonly message: string
}

/** What the rules say about a change of a set of targets. Nothing is sent for it. */
export interface GuardJudgement {
	/** The whole change is refused, whatever is confirmed: read-only, kill switch, no targets, too many. */
	readonly refused: {readonly code: string; readonly message: string} | null
	/** Targets that are left out. */
	readonly protected: readonly GuardRefusal[]
	/** Servers and the like, split off for a confirmation of their own. */
	readonly review: readonly {readonly id: string; readonly label: string; readonly roles: readonly ComputerRole[]}[]
	readonly tier: Tier
	readonly confirmation: Confirmation
	/** Why the tier is what it is, in sentences. */
	readonly because: readonly string[]
	/** Others have to approve it; `null`: nobody else. */
	readonly approval: {readonly needed: number; readonly groups: readonly string[]; readonly because: string} | null
	/** Isolations sent within the rolling span so far, for isolations only. */
	readonly rolling: {readonly used: number; readonly limit: number; readonly hours: number} | null
}

/** How the operator agreed to a change. What the tier does not ask for is not looked at. */
export const agreementSchema = z.object({
	/** Why; the comment of an isolation or a release is as good. */
	reason: z.string().trim().max(2000).optional(),
	ticket: z.string().trim().max(200).optional(),
	/** The host name, or the number of targets, as it was typed. */
	confirm: z.string().max(300).optional(),
})
export type Agreement = z.infer<typeof agreementSchema>

/** What a change costs, and what it leaves. */
export interface Price {
	/** Calls that change something, and readings that go with them (waiting for agents at most). */
	readonly writes: number
	readonly reads: number
	readonly calls: number
	/** Calls that this window still has after it, the reserve and what jobs have reserved aside; `null`: not known yet. */
	readonly leaves: number | null
	/** When the next window begins; ISO 8601. */
	readonly resetAt: string | null
	/** At the budget's pace, waiting for agents apart. */
	readonly seconds: number
	/** In a sentence. */
	readonly sentence: string
}

/** All that a dialog shows before a change. */
export interface GuardAnswer {
	readonly judgement: GuardJudgement
	readonly price: Price
}

/** Rules that nobody has changed. */
export const defaultGuardRules: GuardRules = guardRulesSchema.parse({})
