/** The instance of a target (route description, 1.4). Precompiled: a lookup costs one map access. */
import {reservedNames} from '#model/instance.ts'
import {exposureOf, hasRoute} from '#model/server-parameter.ts'

import {valuesOf} from './headers/lookup.ts'
import {badRequest, refused} from './refusals.ts'
import type {Decision, Refusal, RequestHead} from './message-types.ts'
import type {ForwardedInstance, ForwarderConfig} from './types.ts'

interface Entry {
	instance: ForwardedInstance
	/** The older name of this entry, or `null`. */
	alias: string | null
	isExposed: boolean
}

const plainPrefix = '/instance/execute/'
const laterPrefix = '/xsoar/instance/execute/'
const tenantPrefix = /^\/acc[_-][^/?]+\/instance\/execute\//

/** Length of the path's prefix, 0: none. */
function prefixLength(target: string) {
	if (target.startsWith(plainPrefix)) return plainPrefix.length
	if (target.startsWith(laterPrefix)) return laterPrefix.length
	return target.startsWith('/acc') ? (tenantPrefix.exec(target)?.[0].length ?? 0) : 0
}

/** A name in a path: decoded once, strictly; `null`: refused. */
function decodeName(segment: string) {
	let name = segment
	if (segment.includes('%')) {
		try {
			name = decodeURIComponent(segment)
		} catch {
			return null
		}
	}
	const isBad = name === '' || name === '.' || name === '..' || /[\u0000-\u001f\u007f/\\]/.test(name)
	return isBad ? null : name
}

/** Invalid escapes stay unchanged: the instance sees them so. */
function decodeOnce(text: string) {
	return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** A backslash counts as a slash, and text after a semicolon is not part of the segment: some servers treat it so. */
function leavesRoot(path: string) {
	let depth = 0
	for (const segment of path.split(/[/\\]/)) {
		const [name = ''] = segment.split(';', 1)
		if (name === '..') depth--
		else if (name !== '' && name !== '.') depth++
		if (depth < 0) return true
	}
	return false
}

/** Whether a path leaves its root as it is, or decoded once or twice. The path itself is forwarded unchanged. */
export function climbs(path: string) {
	if (!path.includes('%')) return path.includes('..') && leavesRoot(path)
	const once = decodeOnce(path)
	return leavesRoot(path) || leavesRoot(once) || leavesRoot(decodeOnce(once))
}

/** A person opens the page: relative links must work. Firewalls do not follow redirects reliably. */
function isNavigation({method, fields}: RequestHead) {
	if (method !== 'GET') return false
	const isHtml = valuesOf(fields, 'accept').some(value => value.toLowerCase().includes('text/html'))
	return isHtml && valuesOf(fields, 'sec-fetch-mode').includes('navigate')
}

function refuse(refusal: Refusal, instance: string | null = null): Decision {
	return {kind: 'refuse', refusal, instance}
}

export class Routes {
	readonly #entries = new Map<string, Entry>()
	readonly #hasRoute: boolean

	constructor(config: ForwarderConfig) {
		this.#hasRoute = hasRoute(config.platformVersion)
		const entryOf = (instance: ForwardedInstance, alias: string | null): Entry => {
			return {instance, alias, isExposed: exposureOf(config.parameters, instance.name).exposed}
		}
		const reserved: readonly string[] = reservedNames
		const instances = config.instances.filter(({name}) => !reserved.includes(name))
		for (const instance of instances) this.#entries.set(instance.name.normalize('NFC'), entryOf(instance, null))
		for (const instance of instances) {
			for (const alias of instance.aliases) {
				const name = alias.normalize('NFC')
				// A current name takes precedence over an abandoned one.
				if (!this.#entries.has(name)) this.#entries.set(name, entryOf(instance, alias))
			}
		}
	}

	decide(head: RequestHead): Decision {
		const {method, target} = head
		if (method === 'CONNECT') return refuse(refused.connect)
		if (method === 'TRACE') return refuse(refused.trace)
		if (target === '*') return refuse(refused.options)
		const length = prefixLength(target)
		return length === 0 ? this.#others(head) : this.#find(head, length)
	}

	#others({method, target}: RequestHead): Decision {
		if (target !== '/instance/version' && !target.startsWith('/instance/version?')) return refuse(refused.noRoute)
		return method === 'GET' || method === 'HEAD' ? {kind: 'version'} : refuse(refused.readOnly)
	}

	#find(head: RequestHead, length: number): Decision {
		const {target} = head
		const question = target.indexOf('?')
		const pathEnd = question === -1 ? target.length : question
		const slash = target.indexOf('/', length)
		const nameEnd = slash === -1 || slash > pathEnd ? pathEnd : slash
		const name = decodeName(target.slice(length, nameEnd))
		if (name === null) return refuse(badRequest.name)
		const rest = target.slice(nameEnd)
		if (nameEnd < pathEnd && climbs(target.slice(nameEnd, pathEnd))) return refuse(badRequest.climbs)
		if (!this.#hasRoute) return refuse(refused.oldPlatform)
		const entry = this.#entries.get(name) ?? this.#entries.get(name.normalize('NFC'))
		if (entry === undefined) return refuse(refused.unknown)
		const {instance, alias} = entry
		if (!entry.isExposed) return refuse(refused.notExposed, instance.name)
		const prefix = target.slice(0, nameEnd)
		const isBare = nameEnd === pathEnd
		if (isBare && instance.webInterface && isNavigation(head)) return {kind: 'redirect', location: `${prefix}/${rest}`}
		return {kind: 'forward', instance, target: isBare ? `/${rest}` : rest, prefix, alias}
	}
}
