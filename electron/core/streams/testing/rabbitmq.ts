/** Debian's RabbitMQ with TLS, in its own folder and on its own ports. */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createServer, type AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {makeAuthority} from '#core/service/api/testing/certificates.ts'

const program = '/usr/lib/rabbitmq/bin/rabbitmq-server'
/** Started by the server's script. */
const names = '/usr/bin/epmd'

/** Why it cannot be started here; `null` when it can. */
export function rabbitMissing(): string | null {
	return existsSync(program) && existsSync(names) ? null : 'RabbitMQ is not installed (apt-get install rabbitmq-server)'
}

export type Rabbit = Awaited<ReturnType<typeof startRabbit>>

const login = {user: 'admin', password: 'of-the-test'}

export async function startRabbit() {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-rabbit-'))
	const [port = 0, admin = 0, epmd = 0, dist = 0] = await freePorts(4)
	const ports = {port, admin, epmd, dist}
	const ca = await writeConfiguration(folder, ports)
	const environment = environmentOf(folder, ports)
	const mapper = spawn(names, ['-port', String(ports.epmd)], {stdio: 'ignore', env: environment})
	const adminUrl = `http://127.0.0.1:${ports.admin}`
	let server = await startServer(environment, adminUrl)
	return {
		/** Addresses: AMQP over TLS, the management interface in plain HTTP. `ca` is PEM. */
		access: {host: 'localhost', port, ca, adminUrl, ...login},
		/** Ends every connection except those of the management interface, as a broker's operator may. */
		dropConnections: () => dropConnections(adminUrl),
		/** Kills it and starts it on the same data. */
		restart: async () => {
			await kill(server)
			server = await startServer(environment, adminUrl)
		},
		stop: async () => {
			await kill(server)
			mapper.kill('SIGKILL')
			rmSync(folder, {recursive: true, force: true, maxRetries: 5})
		}
	}
}

type PortNumbers = Record<'port' | 'admin' | 'epmd' | 'dist', number>

async function writeConfiguration(folder: string, {port, admin}: PortNumbers) {
	// Test clocks begin earlier than today.
	const authority = await makeAuthority({notBefore: new Date(Date.UTC(2020, 0, 1))})
	const {cert, key} = await authority.issue('localhost')
	const file = (name: string, text: string) => {
		writeFileSync(join(folder, name), text, {mode: 0o600})
		return join(folder, name)
	}
	const lines = [
		'listeners.tcp = none',
		`listeners.ssl.1 = 127.0.0.1:${port}`,
		`ssl_options.cacertfile = ${file('ca.pem', authority.cert)}`,
		`ssl_options.certfile = ${file('cert.pem', cert)}`,
		`ssl_options.keyfile = ${file('key.pem', key)}`,
		'management.tcp.ip = 127.0.0.1',
		`management.tcp.port = ${admin}`,
		`default_user = ${login.user}`,
		`default_pass = ${login.password}`,
		'vm_memory_high_watermark.absolute = 400MB',
		'disk_free_limit.absolute = 50MB'
	]
	file('rabbitmq.conf', `${lines.join('\n')}\n`)
	file('enabled_plugins', '[rabbitmq_management].\n')
	mkdirSync(join(folder, 'home'))
	return authority.cert
}

function environmentOf(folder: string, {epmd, dist}: PortNumbers): NodeJS.ProcessEnv {
	return {
		PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
		HOME: join(folder, 'home'),
		LANG: 'C.UTF-8',
		ERL_EPMD_PORT: String(epmd),
		ERL_EPMD_ADDRESS: '127.0.0.1',
		RABBITMQ_NODENAME: `cordon-${epmd}@localhost`,
		RABBITMQ_DIST_PORT: String(dist),
		RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
		RABBITMQ_LOG_BASE: join(folder, 'log'),
		RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
		RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
		RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}'
	}
}

/** A process group: ending the script alone leaves its child behind. */
async function startServer(environment: NodeJS.ProcessEnv, adminUrl: string) {
	const server = spawn(program, {stdio: 'ignore', env: environment, detached: true})
	for (const end = performance.now() + 300_000; performance.now() < end;) {
		if (server.exitCode !== null) throw new Error(`RabbitMQ ended with code ${server.exitCode}.`)
		const answer = await admin(adminUrl, 'GET', '/api/health/checks/local-alarms').catch(() => {})
		if (answer?.ok === true) return server
		await sleep(100)
	}
	await kill(server)
	throw new Error('RabbitMQ did not start within 300 s.')
}

async function kill(server: ChildProcess) {
	if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return
	process.kill(-server.pid, 'SIGKILL')
	await once(server, 'exit')
}

function admin(adminUrl: string, method: string, path: string) {
	const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
	return fetch(`${adminUrl}${path}`, {method, headers: {authorization}})
}

async function dropConnections(adminUrl: string) {
	// JSON of the management interface.
	const users = (await (await admin(adminUrl, 'GET', '/api/users')).json()) as {name: string}[]
	for (const {name} of users) if (name !== login.user) await admin(adminUrl, 'DELETE', `/api/connections/username/${encodeURIComponent(name)}`)
}

async function freePorts(count: number) {
	const servers = Array.from({length: count}, () => createServer())
	for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
	// A TCP server that listens has an address with a port.
	const ports = servers.map(server => (server.address() as AddressInfo).port)
	for (const server of servers) server.close()
	return ports
}
