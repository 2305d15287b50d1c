/** The schema of the configuration file. Unknown keys are errors except among parameters. */
import {z} from 'zod'

import {accessSchema, instanceDefinitionSchema, instanceSecretsSchema, networkSchema, type Access} from '#model/instance.ts'

import {defaultLimits} from '../../forwarder/limits.ts'

const path = z.string().min(1)
const [noAccess, basic, bearer, hmac, certificate] = accessSchema.options

const fileUser = z.strictObject({
	name: instanceSecretsSchema.shape.users.unwrap().element.shape.name,
	/** The password is its first line. */
	passwordFile: path.optional(),
	/** As printed by `cordon forward hash-password`. */
	passwordHash: z
		.string()
		.regex(/^scrypt\$\d{1,2}\$\d{1,3}\$\d{1,3}\$[\w-]+\$[\w-]+$/, 'is not a password hash')
		.optional(),
	password: z.string().min(1).optional()
})

/** Access with its secrets, or with the files that contain them. */
const fileAccessSchema = z.discriminatedUnion('kind', [
	noAccess,
	basic.extend({users: z.array(fileUser).min(1)}),
	bearer.extend({
		tokens: z.array(z.string().min(16, 'has fewer than 16 characters')).min(1).optional(),
		/** One token per line. */
		tokenFile: path.optional(),
		/** SHA-256 of each, hex. */
		tokenHashes: z
			.array(z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hex'))
			.min(1)
			.optional()
	}),
	hmac.extend({signingKey: z.string().min(1).optional(), signingKeyFile: path.optional()}),
	certificate.extend({authorities: z.string().min(1).optional(), authoritiesFile: path.optional()})
])
export type FileAccess = z.infer<typeof fileAccessSchema>

const fileInstanceSchema = instanceDefinitionSchema.extend({
	/** Without a store there is nowhere to keep a chosen port. */
	listenPort: z.number().int().min(1).max(65_535),
	access: fileAccessSchema.default({kind: 'none'})
})

/** Host name, IPv4 or IPv6 address; no port. */
const hostname = z
	.string()
	.regex(/^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:]+$/, 'is not a host name or address')
	.transform(name => name.toLowerCase())

const positive = z.number().int().min(1).max(2_147_483_647)
const limits = Object.fromEntries(Object.keys(defaultLimits).map(name => [name, positive.optional()]))

/** Which finished requests are logged. */
const logLevels = ['all', 'failures', 'none'] as const

const port = z.number().int().min(0).max(65_535)

export const forwardFileSchema = z.strictObject({
	parameters: z.record(z.string(), z.string()).default({}),
	instances: z.array(fileInstanceSchema).max(10_000).default([]),
	listen: z
		.strictObject({
			host: z.union([z.ipv4(), z.ipv6()], 'is not an IP address').optional(),
			port: port.optional(),
			lan: z.boolean().default(false),
			hostnames: z.array(hostname).default([]),
			trustedProxies: z.array(networkSchema).default([]),
			certificate: z.strictObject({certificateFile: path, keyFile: path}).optional(),
			metricsPort: port.default(0),
			log: z.enum(logLevels).default('all'),
			limits: z.strictObject(limits).default({})
		})
		.prefault({})
})
export type ForwardFileValue = z.infer<typeof forwardFileSchema>
export type FileInstanceValue = z.infer<typeof fileInstanceSchema>

/** The public part of a file's access. */
export function publicAccess(access: FileAccess, authorities: string): Access {
	switch (access.kind) {
		case 'none':
			return access
		case 'basic':
			return {kind: 'basic', realm: access.realm}
		case 'bearer':
			return {kind: 'bearer', header: access.header}
		case 'hmac':
			return {kind: 'hmac', preset: access.preset, toleranceS: access.toleranceS}
		case 'certificate':
			return {kind: 'certificate', authorities, names: access.names}
	}
}
