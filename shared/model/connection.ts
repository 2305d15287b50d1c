import {z} from 'zod'

import {errorCodes} from '../contract/errors.ts'

export const connectionColours = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink', 'grey'] as const
export type ConnectionColour = (typeof connectionColours)[number]

/** Environments of a connection. Production requires more before a change; test and lab differ only in name. */
export const ownEnvironments = ['production', 'test', 'lab'] as const
type OwnEnvironment = (typeof ownEnvironments)[number]

const environments = [...ownEnvironments, 'sandbox'] as const
export type Environment = (typeof environments)[number]

/**
 * The environment for entering or exporting: the embedded sandbox exists only on this computer, and then counts as production.
 */
export function ownEnvironmentOf(environment: Environment): OwnEnvironment {
	return environment === 'sandbox' ? 'production' : environment
}

/** Regions of the service (API reference, "Hosts"). */
export const serverPresets = [
	{region: 'NAM', title: 'North America', url: 'https://api.amp.cisco.com'},
	{region: 'EU', title: 'Europe', url: 'https://api.eu.amp.cisco.com'},
	{region: 'APJC', title: 'Asia Pacific', url: 'https://api.apjc.amp.cisco.com'}
] as const

/** Stands for "no proxy, ignoring the system"; `null` stands for the system's setting. */
export const directWay = 'direct'

/** A company's bundle of authorities in PEM, 1,500 bytes each. */
const longestBundle = 262_144

export const proxyLoginSchema = z.object({
	user: z.string().trim().min(1, 'is empty').max(200, 'has more than 200 characters'),
	password: z.string().max(500, 'has more than 500 characters')
})
export type ProxyLogin = z.infer<typeof proxyLoginSchema>

const name = z.string().trim().min(1, 'is empty').max(60, 'has more than 60 characters')

const fields = {
	name,
	url: z.string().trim().min(1, 'is empty'),
	clientId: z.string().trim().min(1, 'is empty').max(200, 'has more than 200 characters'),
	apiKey: z.string().trim().min(1, 'is empty').max(500, 'has more than 500 characters').optional(),
	insecure: z.boolean(),
	colour: z.enum(connectionColours),
	environment: z.enum(ownEnvironments),
	readOnly: z.boolean(),
	/** `http://host:port`, `direct`, or empty for the system's setting. */
	proxy: z.string().trim().max(300, 'has more than 300 characters').nullable().optional(),
	/** Never returned; `null` deletes the stored one. */
	proxyLogin: proxyLoginSchema.nullable().optional(),
	/** Additional trusted authorities of this connection (PEM). */
	ca: z.string().max(longestBundle, 'has more than 256 kB').nullable().optional()
}

/** The input of a connection. The API key is never returned. */
export const connectionInputSchema = z.object({
	...fields,
	insecure: fields.insecure.default(false),
	colour: fields.colour.default('blue'),
	environment: fields.environment.default('production'),
	readOnly: fields.readOnly.default(true)
})
export type ConnectionInput = z.infer<typeof connectionInputSchema>

/** Each begins the sentence of a problem. */
export const inputTitles: Readonly<Record<string, string>> = {
	name: 'The name',
	url: 'The server URL',
	clientId: 'The client ID',
	apiKey: 'The API key',
	insecure: 'Trust any certificate',
	colour: 'The colour',
	environment: 'The environment',
	readOnly: 'Read-only',
	proxy: 'The proxy',
	proxyLogin: 'The user name and password of the proxy',
	ca: 'The certificate authorities'
}

/** A change of some fields. Not `connectionInputSchema.partial()`, which would fill in defaults of omitted fields. */
export const connectionChangeSchema = z.object(fields).partial()

/** A stored connection, without its key. */
const connectionSchema = z.object({
	id: z.string(),
	name: z.string(),
	url: z.string(),
	clientId: z.string(),
	insecure: z.boolean(),
	colour: z.enum(connectionColours),
	environment: z.enum(environments),
	readOnly: z.boolean(),
	/** `http://host:port`, `direct`, or `null` for the system's setting. */
	proxy: z.string().nullable(),
	/** Whether proxy credentials are in the secret store. */
	hasProxyLogin: z.boolean(),
	/** PEM. */
	ca: z.string().nullable(),
	/** The embedded sandbox: its address changes with every start and it cannot be edited. */
	sandbox: z.boolean(),
	/** A sandbox whose program ended: its log remains readable. */
	stopped: z.literal(true).optional(),
	createdAt: z.string()
})
export type Connection = z.infer<typeof connectionSchema>

export const testStages = ['url', 'dns', 'tcp', 'tls', 'version', 'credentials', 'scope', 'clock', 'quota'] as const
export type TestStage = (typeof testStages)[number]

export const testStageTitles: Readonly<Record<TestStage, string>> = {
	url: 'Address',
	dns: 'Name resolution',
	tcp: 'Connection',
	tls: 'Certificate',
	version: 'API version',
	credentials: 'Client ID and key',
	scope: 'API permissions',
	clock: 'Clock',
	quota: 'Remaining API calls'
}

const certificate = z.object({subject: z.string(), issuer: z.string(), validFrom: z.string(), validTo: z.string(), fingerprint256: z.string()})
export type CertificateFacts = z.infer<typeof certificate>

/** One stage of *Test*: the finding, in a sentence. `certificate` only at the TLS stage. */
const testResultSchema = z.object({
	stage: z.enum(testStages),
	verdict: z.enum(['ok', 'warning', 'failed', 'skipped']),
	message: z.string(),
	/** Of a failed stage: the code of the table of errors, and the faulty input. */
	fault: z.object({field: z.string().optional(), code: z.enum(errorCodes)}).optional(),
	/** `chain`: the issuers, as known from the server and this computer's authorities; the last one is self-issued. */
	certificate: certificate.extend({chain: z.array(certificate)}).optional()
})
export type TestResult = z.infer<typeof testResultSchema>

/** The operator's agreement to making a read-only production connection read-write. */
export const openingSchema = z.object({confirm: z.string().max(200), reason: z.string().max(255)})
export type OpeningAgreement = z.infer<typeof openingSchema>

/** Whether an edit makes a read-only production connection read-write. */
export function opensProduction(before: Pick<Connection, 'readOnly' | 'environment'>, after: Pick<Connection, 'readOnly' | 'environment'>) {
	const isProduction = [before, after].some(({environment}) => environment === 'production')
	return isProduction && before.readOnly && !after.readOnly
}

type Account = Pick<Connection, 'url' | 'clientId'>

/** To another service or account: local data describes something else. */
export function leadsElsewhere(before: Account, after: Account) {
	return before.url !== after.url || before.clientId !== after.clientId
}
