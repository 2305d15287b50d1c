/** What a policy makes of settings, rules and connections, and what it refuses. Pure. */
import {isDeepStrictEqual} from 'node:util'

import {CordonError} from '#contract/errors.ts'
import type {Connection, ConnectionInput} from '#model/connection.ts'
import {fold} from '#model/fold.ts'
import type {GuardRules} from '#model/guard.ts'
import type {ManagedPolicy} from '#model/managed.ts'
import type {Settings} from '#model/settings.ts'

/** A policy with where it came from; `broken` while its file cannot be used. */
export interface Held {
	readonly policy: ManagedPolicy
	readonly path: string
	/** A sentence. */
	readonly broken: string | null
}

/** `what` begins a sentence: "The theme". */
export function refusal(what: string, field: string, {path, broken}: Held) {
	return new CordonError('managed', `${what} is set by your administrator: nothing was changed.`, {
		field,
		fix: `${broken ?? `It stands in ${path}.`} Ask your administrator.`
	})
}

function refuseBroken({broken, path}: Held) {
	if (broken === null) return
	throw new CordonError('managed', `${broken} Until it is repaired, nothing of this is changed.`, {
		fix: `${path} is the configuration of your administrator. Ask your administrator.`
	})
}

/** Fields of the change that are held and have their value already are left out. */
export function admittedSettings(by: Held, change: Partial<Settings>): Partial<Settings> {
	const own = Object.entries(change).filter(([name, value]) => {
		if (value === undefined || !(name in by.policy.settings)) return true
		if (!isDeepStrictEqual(value, held(by.policy.settings, name))) throw refusal(`The setting ${name}`, name, by)
		return false
	})
	return Object.fromEntries(own)
}

/** The administrator's protected computers always hold; an operator may protect more. */
export function appliedRules({policy}: Held, stored: GuardRules): GuardRules {
	const {protected: ours, ...rest} = policy.guards
	const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
	const own = stored.protected
	return {
		...stored,
		...fields,
		...(ours !== undefined && {
			protected: {
				guids: union(ours.guids, own.guids),
				names: union(ours.names, own.names),
				groups: union(ours.groups, own.groups),
				roles: union(ours.roles, own.roles)
			}
		})
	}
}

export function admittedRules(held: Held, stored: GuardRules, wanted: GuardRules): GuardRules {
	refuseBroken(held)
	const {policy} = held
	const applied = appliedRules(held, stored)
	const {protected: ours, ...rest} = policy.guards
	const names = (Object.keys(rest) as (keyof typeof rest)[]).filter(name => rest[name] !== undefined)
	for (const name of names) if (!isDeepStrictEqual(wanted[name], applied[name])) throw refusal(`The guard rule ${name}`, `guards.${name}`, held)
	const back = Object.fromEntries(names.map(name => [name, stored[name]]))
	return {...wanted, ...back, protected: admittedProtection(ours, stored.protected, wanted.protected, held)}
}

type Protection = GuardRules['protected']

function admittedProtection(ours: Protection | undefined, stored: Protection, wanted: Protection, by: Held) {
	if (ours === undefined) return wanted
	const own = <T extends string>(part: keyof Protection, held: readonly T[], had: readonly T[], want: readonly T[]) => {
		const missing = held.find(each => !want.some(one => isSameText(one, each)))
		if (missing !== undefined) throw refusal(`That ${missing} is protected`, `guards.protected.${part}`, by)
		return want.filter(one => had.includes(one) || !held.some(each => isSameText(each, one)))
	}
	return {
		guids: own('guids', ours.guids, stored.guids, wanted.guids),
		names: own('names', ours.names, stored.names, wanted.names),
		groups: own('groups', ours.groups, stored.groups, wanted.groups),
		roles: own('roles', ours.roles, stored.roles, wanted.roles)
	}
}

export function appliedConnection({policy, broken}: Held, stored: Connection): Connection {
	if (stored.sandbox) return stored
	const {readOnly, insecure} = policy.connections
	return {...stored, readOnly: stored.readOnly || readOnly === true || broken !== null, insecure: stored.insecure && insecure !== false}
}

/** What is held is not stored: it is the operator's own again when the administrator lets go. */
export function admittedConnection<T extends Partial<ConnectionInput>>(held: Held, input: T, before?: Connection) {
	refuseBroken(held)
	const {readOnly, insecure} = held.policy.connections
	if (readOnly === true && input.readOnly === false) throw refusal('Read-only', 'readOnly', held)
	if (insecure === false && input.insecure === true) throw refusal('Trust any certificate', 'insecure', held)
	if (input.url !== undefined && input.url !== before?.url) admitServer(held, input.url)
	if (before === undefined) return input
	const {readOnly: _readOnly, insecure: _insecure, ...rest} = input
	return {
		...rest,
		...(readOnly !== true && 'readOnly' in input && {readOnly: input.readOnly}),
		...(insecure !== false && 'insecure' in input && {insecure: input.insecure})
	} as T // what was taken out is optional in every T
}

/** The address is compared as what the client will use of it. */
export function admitServer({policy, path, broken}: Held, url: string) {
	const {servers} = policy.connections
	const origin = URL.canParse(url.trim()) ? new URL(url.trim()).origin : url
	if (servers === undefined || servers.includes(origin)) return
	throw new CordonError('managed', `${origin} is not a server that your administrator allows: nothing was sent.`, {
		field: 'url',
		fix: `Allowed: ${servers.join(', ')} (${path}). ${broken ?? ''}`.trim()
	})
}

export function admitExport(held: Held) {
	refuseBroken(held)
	if (held.policy.connections.exportKeys === false) throw refusal('That keys stay here', 'exportKeys', held)
}

function held(settings: ManagedPolicy['settings'], name: string) {
	return new Map<string, unknown>(Object.entries(settings)).get(name)
}

function union<T>(ours: readonly T[], own: readonly T[]) {
	return [...new Set([...ours, ...own])]
}

function isSameText(a: string, b: string) {
	return fold(a.trim()) === fold(b.trim())
}
