/**
 * `cordon __complete SOURCE [PREFIX]`: values for the completion scripts, from local data only. Never fails and never queries the
 * service.
 */
import {existsSync} from 'node:fs'

import type {ApiClient} from '#core/service/api/types.ts'
import {inventoryPath, openConnectionInventory} from '#core/replicas/computers/replica.ts'
import type {CompletionSource} from '#shared/commands/define.ts'
import {CordonError} from '#contract/errors.ts'

import type {Sub} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {profileFolder} from './host.ts'
import {inSession, withInstances, type Session, type SubCall} from './session.ts'

interface Value {
	value: string
	label: string
}

const most = 50
const sources: readonly string[] = ['computer', 'hostname', 'group', 'policy', 'file_list', 'event_type'] satisfies readonly CompletionSource[]

/** One value per line: value, tab, label. */
export async function printSuggestions(call: SubCall) {
	const {sub, host, output} = call
	const [source = '', typed = ''] = sub.words
	const folder = profileFolder(sub.globals.profile, host)
	if (host.console === undefined && !existsSync(folder)) return 0
	const comma = typed.lastIndexOf(',') + 1
	try {
		const values = await inSession(call, 'stores', ({session}) => valuesOf(session, sub, source, typed.slice(comma)))
		for (const {value, label} of values) output.print(`${typed.slice(0, comma)}${value}\t${label.replace(/\s+/g, ' ')}`)
	} catch {
		// Shell completion cannot show errors.
	}
	return 0
}

async function valuesOf(session: Session, sub: Sub, source: string, prefix: string): Promise<readonly Value[]> {
	const {profile} = session
	if (source === 'connection') return profile.connections.list().map(({name, url}) => ({value: name, label: url}))
	if (source === 'instance' || source === 'parameter') return await ofForwarding(session, source)
	if (source === 'incident' || source === 'closed')
		return (await profile.log.incidents()).filter(({open}) => open === (source === 'incident')).map(({id, title}) => ({value: id, label: title}))
	const {id} = storedConnection(profile.connections, sub.globals.connection)
	if (!isSource(source)) return []
	if (session.console !== undefined) return session.console.inventories.open(id).suggest(source, prefix, most)
	if (!existsSync(inventoryPath(session.ports.profile, id))) return []
	const copy = openConnectionInventory({profile: session.ports.profile, clock: session.ports.clock, connection: id, client: silentClient})
	try {
		return copy.suggest(source, prefix, most)
	} finally {
		await copy.stop()
	}
}

async function ofForwarding(session: Session, source: 'instance' | 'parameter'): Promise<readonly Value[]> {
	const instances = await withInstances(session, ({store}) => store.list())
	if (source === 'instance') return instances.map(({name, listenPort}) => ({value: name, label: `port ${listenPort}`}))
	const {exposeKey, parameterKeys, parameterMeaning} = await import('#model/server-parameter.ts')
	const names = instances.map(({name}) => name)
	return [...parameterKeys, ...names.map(exposeKey)].map(key => ({value: key, label: parameterMeaning(key, names)}))
}

function isSource(text: string): text is CompletionSource {
	return sources.includes(text)
}

/** Completion uses only local data. */
const silentClient: ApiClient = {
	call: () => Promise.reject(new CordonError('internal', 'Completion does not ask the service.')),
	quota: () => null,
	link: () => ({kind: 'untried'}),
	clockSkewMs: () => null,
	onChange: () => () => {},
	stop: () => Promise.resolve()
}
