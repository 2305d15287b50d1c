/** Settings that an administrator sets and locks for every profile of a computer. Omitted ones stay with the operator. */
import {z} from 'zod'

import {guardRulesSchema, type GuardRules} from './guard.ts'
import {settingsChangeSchema, type Settings} from './settings.ts'

/** Shown beside each managed field. */
export const managedSentence = 'Set by your administrator'

/** The other settings are remembered by a window itself. */
const settings = settingsChangeSchema.omit({computerColumns: true, recentSearches: true, activeConnection: true, activeIncident: true})

const rules = guardRulesSchema.shape
/** The same rules without defaults: an omitted field is not managed. Unknown fields are errors. */
const guards = z.strictObject({
	protected: rules.protected.unwrap().strict().optional(),
	rolling: rules.rolling.unwrap().strict().optional(),
	wide: rules.wide.unwrap().strict().optional(),
	largestJob: rules.largestJob.unwrap().optional(),
	prevalentHash: rules.prevalentHash.unwrap().optional(),
	splitServers: rules.splitServers.unwrap().optional(),
	lineReason: rules.lineReason.unwrap().optional(),
	approval: rules.approval.unwrap().strict().optional(),
	windows: rules.windows.unwrap().optional(),
	origins: rules.origins.unwrap().optional(),
	leaseHours: rules.leaseHours.unwrap().optional()
})

const connections = z.strictObject({
	/** Connections are restricted to these servers: `https://host[:port]`. */
	servers: z.array(z.string().min(1)).min(1).optional(),
	/** No connection allows changes. */
	readOnly: z.literal(true).optional(),
	/** No connection trusts arbitrary certificates. */
	insecure: z.literal(false).optional(),
	/** API keys cannot be exported. */
	exportKeys: z.literal(false).optional()
})

const key = z.strictObject({
	name: z.string().trim().min(1).max(200),
	/** PEM or Base64 of the public key (SPKI). */
	publicKey: z.string().min(40).max(4000),
	groups: z.array(z.string().trim().min(1).max(100)).max(50).default([])
})

/** If keys are given, no others are trusted. */
const trust = z.strictObject({
	/** Keys of people who may approve. */
	approvers: z.array(key).max(1000).optional(),
	/** Keys whose signed playbooks may run unattended. */
	publishers: z.array(key).max(1000).optional()
})

/** The managed configuration file. Security fields can only be tightened. */
export const managedPolicySchema = z.strictObject({
	settings: settings.strict().default({}),
	guards: guards.default({}),
	connections: connections.default({}),
	trust: trust.default({})
})
export type ManagedPolicy = z.infer<typeof managedPolicySchema>

/** The part shown to pages and the command line. */
export type ManagedView = Readonly<{
	/** `broken`: the file is unusable; the last known settings stay in force, and no changes are allowed. */
	state: 'none' | 'applied' | 'broken'
	/** The file; `null` if this host has none. */
	path: string | null
	/** Its problem, in a sentence. */
	problem: string | null
	settings: readonly (keyof Settings)[]
	guards: readonly (keyof GuardRules)[]
	connections: {
		/** `null`: any server. */
		servers: readonly string[] | null
		readOnly: boolean
		/** Whether arbitrary certificates are forbidden. */
		verified: boolean
		/** Whether exporting keys is forbidden. */
		keysStay: boolean
	}
}>

export const nothingManaged: ManagedView = {
	state: 'none',
	path: null,
	problem: null,
	settings: [],
	guards: [],
	connections: {servers: null, readOnly: false, verified: false, keysStay: false}
}
