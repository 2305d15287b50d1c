/** Server parameters: the rows of keys and values known to operators (route description, 1.1, 6.2). */
import {nearest} from './field-names.ts'
import {networkSchema, nameProblem} from './instance.ts'

export type ServerParameters = Readonly<Record<string, string>>

export const exposeAll = 'instance.execute.external'

export function exposeKey(name: string): string {
	return `${exposeAll}.${name}`
}

/** Keys of the forwarding server itself, parsed into {@link ForwardSettings}. */
export const forwardKeys = {
	enabled: 'forward.enabled',
	listen: 'forward.listen',
	lan: 'forward.lan',
	hostnames: 'forward.hostnames',
	trustedProxies: 'forward.trustedProxies',
	platformVersion: 'forward.platformVersion'
} as const

export interface Exposure {
	readonly exposed: boolean
	/** The deciding key; `null`: none is set, so the instance is not exposed. */
	readonly key: string | null
}

/** The instance's override takes precedence over the general key. */
export function exposureOf(parameters: ServerParameters, name: string): Exposure {
	const own = exposeKey(name)
	for (const key of [own, exposeAll]) {
		const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined
		if (value !== undefined) return {exposed: value === 'true', key}
	}
	return {exposed: false, key: null}
}

/** The route requires platform server version 5.5. */
export const firstVersionWithRoute = '5.5'

export function hasRoute(platformVersion: string) {
	const [major = 0, minor = 0] = platformVersion.split('.').map(Number)
	return major > 5 || (major === 5 && minor >= 5)
}

/** The parsed `forward.*` parameters, with defaults. */
export type ForwardSettings = Readonly<{
	/** Whether the forwarding server runs. */
	enabled: boolean
	/** Address and port; without LAN a loopback address. */
	listen: {host: string; port: number}
	/** Listens on every interface. */
	lan: boolean
	/** Names for this server used by clients, besides loopback names. Lower case. */
	hostnames: readonly string[]
	/** Networks whose `X-Forwarded-For` is trusted. */
	trustedProxies: readonly string[]
	platformVersion: string
}>

export interface ParameterProblem {
	readonly key: string
	/** The problem and the fix, in a sentence. */
	readonly problem: string
}

interface ForwardKey {
	/** Its effect, in a sentence. */
	meaning: string
	/** The problem of a value, continuing "must be …"; `null` without one. */
	problem(value: string): string | null
}

const asSwitch = (value: string): string | null => (value === 'true' || value === 'false' ? null : 'must be exactly true or false')

const forwardRules: Readonly<Record<string, ForwardKey>> = {
	'forward.enabled': {meaning: 'Whether the forwarding server runs. Default: true.', problem: asSwitch},
	'forward.listen': {
		meaning: 'Address and port of the forwarding server. Default: 127.0.0.1:443; where that port cannot be had, 8443.',
		problem: value =>
			parseListen(value) === null ? 'must be a loopback address and a port, such as 127.0.0.1:443; forward.lan opens it to the network' : null
	},
	'forward.lan': {
		meaning: 'Whether the forwarding server listens on every interface, so that others on the network reach it. Default: false.',
		problem: asSwitch
	},
	'forward.hostnames': {
		meaning: 'Names, with commas between, that clients may use for this server beside its own.',
		problem: value => {
			const wrong = listOf(value).find(name => !isHostname(name))
			return wrong === undefined ? null : `must be host names with commas between; ${wrong} is none`
		}
	},
	'forward.trustedProxies': {
		meaning: 'Addresses or networks, with commas between, of proxies whose X-Forwarded-For is believed.',
		problem: value => {
			const wrong = listOf(value).find(network => !networkSchema.safeParse(network).success)
			return wrong === undefined ? null : `must be addresses or networks with commas between; ${wrong} is none`
		}
	},
	'forward.platformVersion': {
		meaning: 'The platform version that the server speaks; below 5.5 there is no route. Default: 6.12.',
		problem: value => (/^\d{1,4}(\.\d{1,6}){1,3}$/.test(value) ? null : 'must be a version, such as 6.12')
	}
}

/** Every key except those of single instances. */
export const parameterKeys: readonly string[] = [exposeAll, ...Object.keys(forwardRules)]

/** The name in `instance.execute.external.<name>`; `null` for other keys. */
export function instanceOfKey(key: string): string | null {
	return key.startsWith(`${exposeAll}.`) ? key.slice(exposeAll.length + 1) : null
}

/** The key's effect, in a sentence; `knownNames`: of instances. */
export function parameterMeaning(key: string, knownNames: readonly string[]): string {
	const name = instanceOfKey(key)
	if (key === exposeAll) return 'Whether instances without a key of their own are reached through the route.'
	if (name === null) return forwardRules[key]?.meaning ?? 'Unknown.'
	return knownNames.includes(name)
		? `Whether the instance ${name} is reached through the route.`
		: `No instance has the name ${name} (names are case-sensitive): the key has no effect until one has.`
}

/** Why the row is invalid, in a sentence with the fix; `null` when valid. */
export function parameterProblem(key: string, value: string): string | null {
	const name = instanceOfKey(key)
	if (key === exposeAll || name !== null) {
		const wrong = name === null ? null : nameProblem(name)
		if (wrong !== null) return `The name of the instance in ${key} ${wrong}.`
		const problem = asSwitch(value)
		return problem === null ? null : `${key} ${problem}.`
	}
	const known = Object.hasOwn(forwardRules, key) ? forwardRules[key] : undefined
	if (known === undefined) return unknownKey(key)
	const problem = known.problem(value)
	return problem === null ? null : `${key} ${problem}.`
}

function unknownKey(key: string) {
	const meant = nearest(key, parameterKeys) ?? (key.startsWith('instance.') ? `${exposeAll}.<name>` : undefined)
	const hint = meant === undefined ? `The keys are ${[...parameterKeys, `${exposeAll}.<name>`].join(', ')}.` : `Did you mean ${meant}?`
	return `There is no server parameter ${key}. ${hint}`
}

/** Parses the rows. An invalid row counts as not set and is reported, like a key for an unknown instance, which is kept. */
export function readParameters(
	rows: ServerParameters,
	knownNames: readonly string[]
): {settings: ForwardSettings; problems: readonly ParameterProblem[]} {
	const problems = Object.entries(rows).flatMap(([key, value]) => {
		const problem = parameterProblem(key, value) ?? strayProblem(key, knownNames)
		return problem === null ? [] : [{key, problem}]
	})
	const value = (key: string) => {
		const found = Object.hasOwn(rows, key) ? rows[key] : undefined
		return found === undefined || parameterProblem(key, found) !== null ? undefined : found
	}
	const settings: ForwardSettings = {
		enabled: value('forward.enabled') !== 'false',
		listen: parseListen(value('forward.listen') ?? '') ?? {host: '127.0.0.1', port: 443},
		lan: value('forward.lan') === 'true',
		hostnames: listOf(value('forward.hostnames') ?? '').map(name => name.toLowerCase()),
		trustedProxies: listOf(value('forward.trustedProxies') ?? ''),
		platformVersion: value('forward.platformVersion') ?? '6.12'
	}
	return {settings, problems}
}

function strayProblem(key: string, knownNames: readonly string[]) {
	const name = instanceOfKey(key)
	return name === null || knownNames.includes(name) ? null : parameterMeaning(key, knownNames)
}

/** `host:port` with a loopback host; port 0 is any free one. */
function parseListen(text: string): {host: string; port: number} | null {
	const match = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost):(\d{1,5})$/i.exec(text)
	const [, host = '', digits = ''] = match ?? []
	const port = Number(digits)
	if (match === null || port > 65_535) return null
	if (host.toLowerCase() === 'localhost') return {host: '127.0.0.1', port}
	const bare = host === '[::1]' ? '::1' : host
	return networkSchema.safeParse(bare).success ? {host: bare, port} : null
}

function listOf(value: string) {
	return value
		.split(',')
		.map(part => part.trim())
		.filter(part => part !== '')
}

function isHostname(name: string) {
	return name.length <= 253 && name.split('.').every(label => /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/.test(label))
}
