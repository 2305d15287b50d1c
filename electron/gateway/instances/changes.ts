/** Incident log entries about changes of forwarding. Secrets, and values that may contain some, are never included. */
import type {Surface} from '#model/incident.ts'
import type {Instance, ListSource, Program} from '#model/instance.ts'

import type {NewEntry} from '#core/record/incidents/types.ts'

type Facts = Readonly<Record<string, unknown>>

const titles: Readonly<Record<string, string>> = {
	name: 'name',
	listenPort: 'listen port',
	host: 'address',
	certificate: 'certificate',
	program: 'program',
	enabled: 'switched on',
	openPort: 'open port',
	access: 'access',
	allow: 'allowed addresses',
	exposed: 'exposed',
	newSecrets: 'secrets'
}

/** `exposed`: the value of the instance's override. */
export interface Described {
	readonly instance: Instance
	readonly exposed: boolean
}

/** `newSecrets`: the entered secrets. */
export function addedEntry({instance, exposed}: Described, newSecrets: readonly string[], surface: Surface): NewEntry {
	const route = exposed ? 'exposed' : 'not exposed'
	const message = `Instance added: ${instance.name} (port ${instance.listenPort}, ${route}, access ${instance.access.kind}).`
	return entry(surface, message, {before: {}, after: {...factsOf(instance), exposed, newSecrets}})
}

/** `undefined` without a change. */
export function changedEntry(before: Described, after: Described, newSecrets: readonly string[], surface: Surface) {
	const [was, is] = [factsOf(before.instance), factsOf(after.instance)]
	const names = Object.keys(is).filter(name => !same(contentOf(before.instance, name), contentOf(after.instance, name)))
	const route = before.exposed === after.exposed ? [] : ['exposed']
	const secrets = newSecrets.length > 0 ? ['newSecrets'] : []
	const changed = [...names, ...route, ...secrets]
	if (changed.length === 0) return undefined
	const words = changed.map(name => titles[name] ?? name).join(', ')
	return entry(surface, `Instance changed: ${before.instance.name} (${words}).`, {
		before: {...pick(was, names), ...(route.length > 0 && {exposed: before.exposed})},
		after: {...pick(is, names), ...(route.length > 0 && {exposed: after.exposed}), ...(secrets.length > 0 && {newSecrets})}
	})
}

export function removedEntry({instance, exposed}: Described, surface: Surface): NewEntry {
	const before = {...factsOf(instance), exposed}
	return entry(surface, `Instance removed: ${instance.name}.`, {before, after: {}})
}

export function parameterEntry(key: string, before: string | null, after: string | null, surface: Surface): NewEntry {
	const was = before === null ? 'not set' : before
	const message = after === null ? `Server parameter removed: ${key} (was ${was}).` : `Server parameter set: ${key} = ${after} (was ${was}).`
	return entry(surface, message, {before: {[key]: before}, after: {[key]: after}})
}

export function entry(surface: Surface, message: string, data: Facts): NewEntry {
	return {kind: 'forwarding.changed', surface, message, data}
}

/** Typed by a person on request. */
export function confirmed(made: NewEntry): NewEntry {
	return {...made, message: made.message.replace(/\.$/, ', confirmed.'), data: {...made.data, confirmed: true}}
}

function contentOf(instance: Instance, name: string) {
	return (instance as unknown as Facts)[name] // a field of `factsOf`, which names fields of instances only
}

function factsOf({id: _id, aliases: _aliases, secrets: _secrets, createdAt: _createdAt, revision: _revision, ...rest}: Instance): Facts {
	const {access} = rest
	return {
		...rest,
		certificate: rest.certificate === '' ? 'none' : 'set',
		program: programFacts(rest.program),
		access: access.kind === 'certificate' ? {kind: access.kind, names: access.names} : access
	}
}

/** Arguments and environment values may be secrets, and a pasted list is long. */
function programFacts(program: Program): Facts {
	switch (program.kind) {
		case 'external':
			return {kind: 'external'}
		case 'managed': {
			const {command, folder, environment} = program
			return {kind: 'managed', program: command[0], arguments: command.length - 1, folder, environment: Object.keys(environment)}
		}
		case 'builtin': {
			const {builtin} = program
			if (builtin.service === 'webhook') return {kind: 'builtin', ...builtin}
			if (builtin.service === 'list') return {kind: 'builtin', ...builtin, sources: sourceFacts(builtin.sources)}
			const collections = builtin.collections.map(each => ({...each, sources: sourceFacts(each.sources)}))
			return {kind: 'builtin', ...builtin, collections}
		}
	}
}

function sourceFacts(sources: readonly ListSource[]) {
	return sources.map(source => (source.kind === 'text' ? {kind: 'text'} : source))
}

function pick(facts: Facts, names: readonly string[]) {
	return Object.fromEntries(names.map(name => [name, facts[name]]))
}

export function same(one: unknown, other: unknown) {
	return JSON.stringify(one) === JSON.stringify(other)
}
