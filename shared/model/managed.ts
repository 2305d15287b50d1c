/** What an administrator sets and locks for every profile of a computer. What is left out stays with the operator. */
import {z} from 'zod'

import {guardRulesSchema, type GuardRules} from './guard.ts'
import {settingsChangeSchema, type Settings} from './settings.ts'

/** What stands beside each field that an administrator holds. */
export const managedSentence = 'Set by your administrator'

/** The rest of the settings is what a window remembers by itself. */
const settings = settingsChangeSchema.omit({
	computerColumns: true,
	recentSearches: true,
	activeConnection: true,
	activeIncident: true,
})

const rules = guardRulesSchema.shape
/** The same rules without their defaults: a field that is not given is not held. Unknown words in them are mistakes. */
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
	leaseHours: rules.leaseHours.unwrap().optional(),
})

const connections = z.strictObject({
	/** Connections lead to these servers and to no other: `https://host[:port]`. */
	servers: z.array(z.string().min(1)).min(1).optional(),
	/** Nothing is changed through any connection. */
	readOnly: z.literal(true).optional(),
	/** No connection trusts any certificate. */
	insecure: z.literal(false).optional(),
	/** API keys leave in no file. */
	exportKeys: z.literal(false).optional(),
})

const key = z.strictObject({
	name: z.string().trim().min(1).max(200),
	/** PEM or Base64 of the public key (SPKI). */
	publicKey: z.string().min(40).max(4000),
	groups: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
})
export type ManagedKey = z.infer<typeof key>

/** Where keys are given, no others are trusted. */
const trust = z.strictObject({
	/** Keys of people who may approve. */
	approvers: z.array(key).max(1000).optional(),
	/** Keys whose signed playbooks may run unattended. */
	publishers: z.array(key).max(1000).optional(),
})

/** The managed configuration file. Only tightening values exist where a field is about safety. */
export const managedPolicySchema = z.strictObject({
	settings: settings.strict().default({}),
	guards: guards.default({}),
	connections: connections.default({}),
	trust: trust.default({}),
})
export type ManagedPolicy = z.infer<typeof managedPolicySchema>

/** What pages and the command line see of it. */
export interface ManagedView {
	/** `broken`: the file cannot be used; what was last known holds on, and nothing may be changed. */
	readonly state: 'none' | 'applied' | 'broken'
	/** The file; `null` where this host looks for none. */
	readonly path: string | null
	/** What is wrong with it, in a sentence. */
	readonly problem: string | null
	readonly settings: readonly (keyof Settings)[]
	readonly guards: readonly (keyof GuardRules)[]
	readonly connections: {
		/** `null`: any server. */
		readonly servers: readonly string[] | null
		readonly readOnly: boolean
		/** Trusting any certificate is not allowed. */
		readonly verified: boolean
		/** Exporting keys is not allowed. */
		readonly keysStay: boolean
	}
}

export const nothingManaged: ManagedView = {
	state: 'none',
	path: null,
	problem: null,
	settings: [],
	guards: [],
	connections: {servers: null, readOnly: false, verified: false, keysStay: false},
}
