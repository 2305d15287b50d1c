import {z} from 'zod'

import {errorCodes} from '../contract/errors.ts'

export const connectionColours = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink', 'grey'] as const
export type ConnectionColour = (typeof connectionColours)[number]

/** What a person may say of a connection. Production asks for more before a change; test and lab differ in their word alone. */
export const ownEnvironments = ['production', 'test', 'lab'] as const
export type OwnEnvironment = (typeof ownEnvironments)[number]

export const environments = [...ownEnvironments, 'sandbox'] as const
export type Environment = (typeof environments)[number]

/** What may be entered or written to a file: the embedded sandbox is of this computer alone, and counts as production then. */
export function ownEnvironmentOf(environment: Environment): OwnEnvironment {
	return environment === 'sandbox' ? 'production' : environment
}

/** Regions of the service (API reference, "Hosts"). */
export const serverPresets = [
	{region: 'NAM', title: 'North America', url: 'https://api.amp.cisco.com'},
	{region: 'EU', title: 'Europe', url: 'https://api.eu.amp.cisco.com'},
	{region: 'APJC', title: 'Asia Pacific', url: 'https://api.apjc.amp.cisco.com'},
] as const

/** What stands for "no proxy, whatever the system says"; `null` stands for what the system says. */
export const directWay = 'direct'

/** A company's bundle of authorities in PEM; 1,500 bytes each. */
const longestBundle = 262_144

export const proxyLoginSchema = z.object({
	user: z.string().trim().min(1, 'is empty').max(200, 'has more than 200 characters'),
	password: z.string().max(500, 'has more than 500 characters'),
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
	/** `http://host:port`, `direct`, or nothing for what the system says. */
	proxy: z.string().trim().max(300, 'has more than 300 characters').nullable().optional(),
	/** Goes in here and never comes out again; `null` forgets what is stored. */
	proxyLogin: proxyLoginSchema.nullable().optional(),
	/** Certificates of authorities (PEM) that this connection trusts beside the known ones. */
	ca: z.string().max(longestBundle, 'has more than 256 kB').nullable().optional(),
}

/** What a person enters. The API key goes in here and never comes out again. */
export const connectionInputSchema = z.object({
	...fields,
	insecure: fields.insecure.default(false),
	colour: fields.colour.default('blue'),
	environment: fields.environment.default('production'),
	readOnly: fields.readOnly.default(true),
})
export type ConnectionInput = z.infer<typeof connectionInputSchema>

/** A change of some fields. Not `connectionInputSchema.partial()`: that would fill in the defaults of fields left out. */
export const connectionChangeSchema = z.object(fields).partial()

/** A stored connection, without its key. */
export const connectionSchema = z.object({
	id: z.string(),
	name: z.string(),
	url: z.string(),
	clientId: z.string(),
	insecure: z.boolean(),
	colour: z.enum(connectionColours),
	environment: z.enum(environments),
	readOnly: z.boolean(),
	/** `http://host:port`, `direct`, or `null` for what the system says. */
	proxy: z.string().nullable(),
	/** Whether a user name and a password for the proxy are in the secret store. */
	hasProxyLogin: z.boolean(),
	/** PEM. */
	ca: z.string().nullable(),
	/** The embedded sandbox: its address changes with every start and it cannot be edited. */
	sandbox: z.boolean(),
	/** The sandbox whose program ended: what was done on it can still be read. */
	stopped: z.literal(true).optional(),
	createdAt: z.string(),
})
export type Connection = z.infer<typeof connectionSchema>

export const testStages = ['url', 'dns', 'tcp', 'tls', 'version', 'credentials', 'scope', 'clock', 'budget'] as const
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
	budget: 'Remaining API calls',
}

const certificate = z.object({
	subject: z.string(),
	issuer: z.string(),
	validFrom: z.string(),
	validTo: z.string(),
	fingerprint256: z.string(),
})
export type CertificateFacts = z.infer<typeof certificate>

/** One stage of *Test*: what was found, in a sentence. `certificate` only at the TLS stage. */
export const testResultSchema = z.object({
	stage: z.enum(testStages),
	verdict: z.enum(['ok', 'warning', 'failed', 'skipped']),
	message: z.string(),
	/** What is entered there cannot be used; the code is one of the table of errors. */
	fault: z.object({field: z.string(), code: z.enum(errorCodes)}).optional(),
	/** `chain`: who vouches for it, as far as the server and this computer's authorities tell; the last one has no issuer but itself. */
	certificate: certificate.extend({chain: z.array(certificate)}).optional(),
})
export type TestResult = z.infer<typeof testResultSchema>

/** How somebody agreed to making a read-only production connection read-write. */
export const openingSchema = z.object({confirm: z.string().max(200), reason: z.string().max(255)})
export type OpeningAgreement = z.infer<typeof openingSchema>

/** Whether a change lets changes through to a production tenant that was read-only. */
export function opensProduction(
	before: Pick<Connection, 'readOnly' | 'environment'>,
	after: Pick<Connection, 'readOnly' | 'environment'>,
): boolean {
	const isProduction = [before, after].some(({environment}) => environment === 'production')
	return isProduction && before.readOnly && !after.readOnly
}
