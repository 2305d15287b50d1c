import {arch, platform, release} from 'node:os'

import type {NetworkFacts} from '#contract/local.ts'
import {directWay, serverPresets} from '#model/connection.ts'
import {connectionsFileOf} from '#model/connections-file.ts'

import {CordonError} from '#contract/errors.ts'
import {browserName} from '#text/browser-name.ts'
import {proxyFor} from '#core/service/api/proxy.ts'
import {TransportError} from '#core/service/api/transport-errors.ts'
import {diagnosticsText} from '#core/service/settings/diagnostics.ts'
import {confirmWipe, readLocalData} from '#core/service/settings/local-data.ts'
import {type Procedures, type RouterDependencies, today} from './dependencies.ts'

export function localProcedures(deps: RouterDependencies): Procedures['local'] {
	const {connections, notices} = deps
	return {
		data: () => dataOf(deps),
		wipe: async ({input}) => {
			const {id, name, url} = connections.find(input.connection)
			confirmWipe(name, input.confirm)
			// Logged before it is done, like everything that cannot be undone.
			const message = `Local data of ${name} are deleted: ${[...new Set(input.kinds)].join(', ')}.`
			await deps.profile.log.append({kind: 'connection.changed', surface: 'screen', message, connection: {id, name, url}})
			await deps.wipe(id, new Set(input.kinds))
			return dataOf(deps)
		},
		diagnostics: async () => ({name: `cordon-diagnostics-${today(deps)}.txt`, text: await diagnosticsOf(deps)}),
		exportConnections: () => ({name: `cordon-connections-${today(deps)}.json`, text: connectionsFileOf(connections.list())}),
		exportSealed: async ({input}) => {
			await deps.presence.check({passphrase: input.passphrase, why: 'export the API keys of all connections'})
			return {name: `cordon-connections-sealed-${today(deps)}.json`, text: await connections.exportSealed(input.seal, input.reason)}
		},
		importSealed: ({input}) => connections.importSealed(input.text, input.seal),
		network: () => networkOf(deps.ports.proxyEnvironment),
		notices: () => notices.list(),
		sessions: ({context}) => deps.ports.sessions?.list().map(each => ({...each, own: each.id === context.session})) ?? null,
		endSession: async ({input: {id}}) => {
			const {sessions} = deps.ports
			const found = sessions?.list().find(session => session.id === id)
			if (sessions === undefined || found === undefined) throw new CordonError('not_found', 'There is no such session any more.', {field: 'id'})
			// Logged before it is done: the session may be the one that asks.
			const message = `The session of a browser was ended: ${browserName(found.agent)}, entered ${found.openedAt}.`
			await deps.profile.log.append({kind: 'session.changed', surface: 'screen', message})
			sessions.end(id)
			return sessions.list()
		},
		readNotice: ({input}) => notices.read(input.id),
		dismissNotice: ({input}) => notices.dismiss(input.id)
	}
}

async function dataOf(deps: RouterDependencies) {
	return readLocalData({
		profile: deps.ports.profile,
		connections: deps.connections.list(),
		replicas: deps.registry.all,
		entries: await deps.profile.log.newest()
	})
}

/** The route of a call to the service's public address. */
function networkOf(environment: RouterDependencies['ports']['proxyEnvironment']): NetworkFacts {
	const exceptions = (environment['no_proxy'] ?? environment['NO_PROXY'])?.trim() ?? ''
	const rest = {exceptions: exceptions === '' ? null : exceptions}
	try {
		const proxy = proxyFor(new URL(serverPresets[0].url), environment)
		return {...rest, proxy: proxy === null ? null : `${proxy.protocol}//${proxy.host}`, problem: null}
	} catch (error) {
		if (!(error instanceof TransportError)) throw error
		return {...rest, proxy: null, problem: error.message}
	}
}

async function diagnosticsOf(deps: RouterDependencies) {
	const {ports, connections} = deps
	const listed = connections.list()
	const {profile: _folder, operator: _operator, instance: _instance, ...info} = await deps.info()
	const {activeConnection: _active, activeIncident: _incident, ...settings} = deps.profile.settings.get()
	const data = await dataOf(deps)
	const {server, rows} = await deps.instances.list()
	const facts = {
		...info,
		node: process.versions.node,
		electron: process.versions['electron'] ?? null,
		sqlite: process.versions['sqlite'] ?? null,
		system: `${platform()} ${release()} ${arch()}`,
		memory: process.memoryUsage(),
		settings,
		connections: listed.map((connection, index) => ({
			no: index + 1,
			region: serverPresets.find(({url}) => url === connection.url)?.region ?? 'own host',
			environment: connection.environment,
			readOnly: connection.readOnly,
			insecure: connection.insecure,
			proxy: connection.proxy === null ? 'system' : connection.proxy === directWay ? 'none' : 'own',
			ownAuthorities: connection.ca !== null,
			sandbox: connection.sandbox,
			copies: data.connections.find(({id}) => id === connection.id)?.copies,
			state: stateOf(deps, connection.id)
		})),
		files: data.files,
		instances: {server: server.state, states: rows.map(({health}) => health.state)},
		log: await deps.profile.log.verify().then(({checked, broken}) => ({checked, broken})),
		network: networkOf(ports.proxyEnvironment).proxy === null ? 'no proxy' : 'over a proxy'
	}
	return diagnosticsText({at: new Date(ports.clock.now()).toISOString(), facts, lines: deps.lastLines(), names: namesOf(deps)})
}

function stateOf({frame}: RouterDependencies, id: string): unknown {
	const {link, quota, clockSkewMs, inventory, counts, mode} = frame(id)
	return {
		link: link.kind === 'failing' ? {kind: link.kind, code: link.error.code} : {kind: link.kind},
		quota,
		clockSkewMs,
		mode: mode.kind,
		computers: {phase: inventory.phase, ...counts}
	}
}

/** Names that identify a person, in program lines too. */
function namesOf({ports, connections}: RouterDependencies): readonly (readonly [string, string])[] {
	const own = connections.list().flatMap(({name, url, clientId, proxy, sandbox}, index) => {
		const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
		const all: readonly (readonly [string, string])[] = [
			[clientId, `<client ${index + 1}>`],
			[host, `<host ${index + 1}>`],
			...(proxy !== null && URL.canParse(proxy) ? [[new URL(proxy).hostname, `<proxy ${index + 1}>`] as const] : [])
		]
		return sandbox ? all : [...all, [name, `<connection ${index + 1}>`] as const]
	})
	return [[ports.profile, '<profile>'], [ports.operator, '<operator>'], ...own]
}
