import {checkInput, refuseDuplicate} from '#core/service/connections/input.ts'
import {type ErrorCode, errorTable, usageError} from '#contract/errors.ts'
import {
	type Connection,
	connectionColours,
	type ConnectionInput,
	directWay,
	ownEnvironments,
	serverPresets,
	type TestResult,
	testStageTitles
} from '#model/connection.ts'
import {shellValue} from '#model/typed.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {chooseConnection, serverUrl, storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {unreadable} from './files.ts'
import {askSecret, readSecretFile} from './key.ts'
import {printObject, printStages, printTable, verdictWords} from './result.ts'
import {inSession, type Session, type SubCall, type SubRun} from './session.ts'

export async function runConnections(call: SubCall) {
	const {name} = call.sub.spec
	return await inSession(call, name === 'connections test' ? 'test' : 'stores', run => actions[name]?.(run) ?? 2)
}

const actions: Readonly<Record<string, (run: SubRun) => Promise<number>>> = {
	'connections list': list,
	'connections add': add,
	'connections edit': edit,
	'connections test': test,
	'connections export': async run => (await import('./connections-files.ts')).exportConnections(run),
	'connections import': async run => (await import('./connections-files.ts')).importConnections(run),
	'connections remove': remove,
	'connections lock': run => setLocked(run, true),
	'connections unlock': run => setLocked(run, false)
}

async function list(run: SubRun) {
	const {session} = run
	const {connections} = session.profile
	const data = connections.list().map(connection => ({...connection, locked: isLocked(session, connection.id)}))
	const message =
		data.length === 0
			? 'There is no connection. Add one with "cordon connections add NAME --server URL --client-id ID".'
			: `${counted(data.length, nouns.connection)}.`
	const columns = ['Name', 'Server', 'Client ID', 'Environment', 'Mode', 'Proxy', 'Certificate']
	return printTable(run, columns, data.map(cells), data, message)
}

async function add(run: SubRun) {
	const connection = await run.session.profile.connections.add(await readNew(run))
	const {name} = connection
	const mode = connection.readOnly ? 'It is read-only: see "cordon help connections edit".' : 'Changes are allowed on it.'
	const warning = connection.insecure ? ' Any certificate is trusted: not secure.' : ''
	return printObject(run, {name}, connection, `${name} was added. ${mode}${warning} ${testOf(name)}`)
}

async function edit(run: SubRun) {
	const {sub, option, session} = run
	const {connections} = session.profile
	const {id} = storedConnection(connections, sub.words[0])
	const [confirm = '', reason = ''] = ['confirm', 'reason'].map(option)
	const connection = await connections.update(id, await readChange(run), {confirm, reason})
	const {name} = connection
	return printObject(run, {name}, connection, `${name} was changed. ${testOf(name)}`)
}

function testOf(name: string) {
	return `Test it: cordon connections test ${shellValue(name)}`
}

async function test(run: SubRun) {
	const {sub, host, output, session} = run
	const {connections} = session.profile
	const {globals} = sub
	const [name] = sub.words
	const connection = name === undefined ? await chooseConnection(connections, globals, host) : storedConnection(connections, name)
	const stages = connections.test({id: connection.id}, AbortSignal.any([host.signal, output.gone]))
	return await printStages(run, {name: connection.name}, stages, stageLine, results => {
		const failed = results.find(({verdict}) => verdict === 'failed')
		if (failed === undefined) return {code: 0, message: `${connection.name} works.`}
		const {message, fault: found} = failed
		const code = codeOf(failed)
		const {exit, retry, fault} = errorTable[code]
		return {code: exit, message, error: {code, message, field: found?.field ?? null, retry, fault}}
	})
}

async function remove(run: SubRun) {
	const {ports, profile, console} = run.session
	const connection = storedConnection(profile.connections, run.sub.words[0])
	await profile.connections.remove(connection.id)
	if (console === undefined) (await import('#core/replicas/kit/files.ts')).removeCopies(ports.profile, connection.id)
	const {name} = connection
	return printObject(run, {name}, connection, `${name}, its key and its local data were removed.`)
}

async function setLocked(run: SubRun, locked: boolean) {
	const {connections} = run.session.profile
	const connection = storedConnection(connections, run.sub.words[0])
	const {id, name} = connection
	connections.setLocked(id, locked)
	const message = locked ? `${name}: changes locked for every process on this profile.` : `${name}: changes unlocked.`
	const readOnly = !locked && connection.readOnly ? ' The connection itself is read-only.' : ''
	return printObject(run, {name}, {...connection, locked}, message + readOnly)
}

function isLocked(session: Session, id: string) {
	const mode = session.profile.connections.mode(id)
	return mode.kind === 'read_only' && mode.because === 'locked'
}

function cells({name, url, clientId, environment, locked, readOnly, proxy, insecure, ca}: Connection & {locked: boolean}) {
	const region = serverPresets.find(preset => preset.url === url)?.region
	return [
		name,
		region === undefined ? url : `${url} (${region})`,
		clientId,
		environment,
		locked ? 'locked' : readOnly ? 'read-only' : 'read-write',
		proxy === null ? 'of the system' : proxy === directWay ? 'none' : proxy,
		insecure ? 'any: not secure' : `verified${ca === null ? '' : ', own authorities'}`
	]
}

function stageLine({stage, verdict, message}: TestResult) {
	return `${verdictWords[verdict].padEnd(10)} ${testStageTitles[stage].padEnd(19)} ${message}`
}

/** Without a fault: a certificate that is not trusted, or a server that is not the service. */
function codeOf({stage, fault}: TestResult): ErrorCode {
	return fault?.code ?? (stage === 'tls' ? 'tls' : 'unexpected_shape')
}

/** The options of "connections add" and "connections edit", as the form would give them. */
type Network = Pick<ConnectionInput, 'proxy' | 'proxyLogin' | 'ca'>

async function readNew(call: SubRun): Promise<ConnectionInput> {
	const {words, options, globals} = call.sub
	const {ports, profile} = call.session
	const looks = looksOf(call)
	// Every error that needs no secret is reported before a secret is asked for.
	const network = await networkOf(call)
	const known = {
		name: words[0] ?? '',
		url: serverUrl(globals.server ?? ''),
		clientId: globals.clientId ?? '',
		insecure: globals.insecure,
		readOnly: !options.has('writable'),
		colour: looks.colour ?? 'blue',
		environment: looks.environment ?? 'production',
		...network
	}
	const {name} = checkInput({...known, apiKey: 'later'}, ports.clock.now())
	refuseDuplicate(name, undefined, profile.connections.list())
	return {...known, apiKey: await readKey(call)}
}

/** Reads only the given options; the rest stays. */
async function readChange(call: SubCall) {
	const {options, globals} = call.sub
	const name = call.option('rename')
	if (globals.insecure && options.has('verify')) throw usage('--insecure and --verify contradict each other', 'give one of them', 'verify')
	const change = {
		...looksOf(call),
		...(name !== undefined && {name}),
		...((globals.insecure || options.has('verify')) && {insecure: globals.insecure}),
		...((options.has('writable') || options.has('read-only')) && {readOnly: !options.has('writable')}),
		...(await networkOf(call)),
		...(globals.apiKeyFile !== undefined && {apiKey: await readKey(call)})
	}
	if (Object.keys(change).length === 0) throw usage('connections edit was given nothing to change', 'see "cordon help connections edit"')
	return change
}

function looksOf({sub: {options}, option}: SubCall) {
	if (options.has('read-only') && options.has('writable'))
		throw usage('--read-only and --writable contradict each other', 'give one of them', 'read-only')
	const colour = connectionColours.find(known => known === option('colour'))
	const environment = ownEnvironments.find(known => known === option('environment'))
	return omitUndefined({colour, environment})
}

async function networkOf({sub, host, option}: SubCall): Promise<Network> {
	const [proxy, login, ca] = ['proxy', 'proxy-login-file', 'ca-file'].map(option)
	if (login === '-' && sub.globals.apiKeyFile === '-')
		throw usage('standard input can hold one secret alone', 'put the other into a file', 'proxy-login-file')
	return {
		...(proxy !== undefined && {proxy: proxy.toLowerCase() === 'system' ? null : proxy}),
		...(ca !== undefined && {ca: ca === 'none' ? null : await host.files.read(ca).catch(unreadable(ca, 'ca-file'))}),
		...(login !== undefined && {proxyLogin: login === 'none' ? null : await readLogin(host, login)})
	}
}

async function readLogin(host: SubCall['host'], file: string) {
	const text = await readSecretFile(host, file, 'proxy-login-file')
	const colon = text.indexOf(':')
	if (colon > 0) return {user: text.slice(0, colon), password: text.slice(colon + 1)}
	throw usageError('The first line of --proxy-login-file must be USER:PASSWORD.', 'proxy-login-file')
}

async function readKey({sub, host}: SubCall) {
	const {apiKeyFile} = sub.globals
	if (apiKeyFile !== undefined) return await readSecretFile(host, apiKeyFile, 'api-key-file')
	const key = await askSecret(host, 'API key (it is not shown): ', 'api-key-file')
	if (key === '') throw usageError('The API key is empty.', 'api-key-file')
	return key
}
