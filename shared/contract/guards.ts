/** Procedures of guard rules, leases and stored unlock codes. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given, onConnection, onObject} from './base.ts'
import {agreementSchema, guardRulesSchema, type ComputerRole, type GuardAnswer, type GuardRules} from '../model/guard.ts'
import {leaseTermSchema, type Lease, type SealedCode} from '../model/lease.ts'

/** Shown by a dialog before one change. */
export interface ChangeAnswer extends GuardAnswer {
	/** The computer, group or hash as the guards see it; `null` for a command that changes nothing. */
	readonly target: {label: string; roles: readonly ComputerRole[]; guessedRoles: readonly ComputerRole[]} | null
	/** Whether the undo history can undo it, with a sentence; `null` for a change without undo. */
	readonly undo: {possible: boolean; sentence: string} | null
}

/** One line of "what happens if I isolate …". */
export type WhatIf = Readonly<{
	what: string
	/** What the operator has to do, in a sentence. */
	answer: string
	tier: 1 | 2 | 3
	refused: boolean
}>

export const guardsContract = {
	get: base.input(onConnection).output(type<GuardRules>()),
	/** A change of the rules as they were `before` is confirmed with the connection's name, and logged with both. */
	set: base
		.input(onConnection.extend({before: guardRulesSchema, rules: guardRulesSchema, confirm: z.string().max(200).optional()}))
		.output(type<GuardRules>()),
	/** The rules' answer about one change; sends nothing except, for an unknown computer, one read. */
	judge: base
		.input(onConnection.extend({name: z.string(), args: z.record(z.string(), z.union([z.string(), z.array(z.string())]))}))
		.output(type<ChangeAnswer>()),
	/** The effect of rules, stored or being edited. */
	whatIf: base.input(onConnection.extend({rules: guardRulesSchema})).output(type<readonly WhatIf[]>())
}

export const leasesContract = {
	list: base.input(onConnection).output(type<readonly Lease[]>()),
	/** A new length, counted from now; for an isolation without a lease, a first one. */
	set: base.input(onObject.extend({term: leaseTermSchema})).output(type<Lease>()),
	/** Changes the owner from now on. */
	handOver: base.input(onObject.extend({to: z.string().trim().min(1).max(100), note: z.string().trim().max(1000)})).output(type<Lease>())
}

/** Encrypted unlock codes; `isolation.reveal` opens one. Without a connection those of all, including removed ones. */
export const codesContract = {list: given({connection: connection.optional()}).output(type<readonly SealedCode[]>())}

/** The operator's agreement to a change, and the terms of an isolation. */
export const runExtras = {
	agreement: agreementSchema.default({}),
	isolation: z.object({code: z.enum(['generated', 'service']), lease: leaseTermSchema.nullable()}).optional()
}
