/** The forwarders of the matrix: ours, and the others from Debian with the shortest configuration that forwards everything. */
import {spawnSync, type ChildProcess} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {type RecordingOrigin, startOrigin, type Subject} from '#gateway/forwarder/corpus/judge.ts'
import {startRunning} from '#gateway/forwarder/testing/running.ts'

import {endProgram, freePort, nginxUser, startProgram} from '../forward/lab.ts'

export interface Engine {
	readonly name: string
	readonly version: string
	readonly subject: Subject
	stop(): Promise<void>
}

/** Milliseconds that an engine waits for a silent instance, and that we wait for a silent engine. */
const upstreamMs = 500
const patienceMs = 1500

export async function startOurs(): Promise<Engine> {
	const running = await startRunning({timeouts: {firstByteS: upstreamMs / 1000}})
	const {place, origin} = running
	const subject = {place, origin, strips: true, patienceMs}
	return {name: 'Cordon', version: '', subject, stop: () => running.stop()}
}

interface Maker {
	readonly name: string
	readonly version: readonly string[]
	configuration(folder: string, port: number, upstream: number): string
	argv(file: string): readonly string[]
}

const makers: readonly Maker[] = [
	{
		name: 'nginx',
		version: ['-v'],
		argv: file => ['-e', 'stderr', '-c', file],
		configuration: (folder, port, upstream) => {
			const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
			const temporary = paths.map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')
			return `${nginxUser()} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr emerg;
events {}
http { access_log off; ${temporary}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1; proxy_read_timeout ${upstreamMs}ms;
      proxy_set_header Host $host; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }
  } }
`
		},
	},
	{
		name: 'haproxy',
		version: ['-v'],
		argv: file => ['-f', file],
		configuration: (_folder, port, upstream) => `defaults
  mode http
  option forwardfor
  timeout connect 2s
  timeout client 30s
  timeout server ${upstreamMs}ms
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
`,
	},
	{
		name: 'caddy',
		version: ['version'],
		argv: file => ['run', '--adapter', 'caddyfile', '--config', file],
		configuration: (folder, port, upstream) => `{
  admin off
  auto_https off
  storage file_system ${folder}/caddy
  log {
    output discard
  }
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstream} {
    transport http {
      response_header_timeout ${upstreamMs}ms
    }
  }
}
`,
	},
]

function versionOf({name, version}: Maker): string | null {
	const {stdout, stderr, error} = spawnSync(name, version, {encoding: 'utf8'})
	return error === undefined ? (/\d+\.\d+\.\d+/.exec(`${stdout} ${stderr}`)?.[0] ?? '') : null
}

async function start(maker: Maker, version: string): Promise<Engine> {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-conformance-'))
	const origin: RecordingOrigin = await startOrigin()
	const port = await freePort()
	const file = join(folder, maker.name === 'caddy' ? 'Caddyfile' : 'engine.conf')
	writeFileSync(file, maker.configuration(folder, port, origin.port))
	const child: ChildProcess = await startProgram(maker.name, [...maker.argv(file)], port)
	const stop = async (): Promise<void> => {
		await endProgram(child)
		await origin.stop()
		rmSync(folder, {recursive: true, force: true})
	}
	const subject = {place: {port, authority: null}, origin, strips: false, patienceMs}
	return {name: maker.name, version, subject, stop}
}

/** Starts those that are installed; names the others on stderr. */
export async function startOthers(): Promise<readonly Engine[]> {
	const engines: Engine[] = []
	for (const maker of makers) {
		const version = versionOf(maker)
		if (version === null) process.stderr.write(`${maker.name} is left out: it is not installed.\n`)
		else engines.push(await start(maker, version))
	}
	return engines
}
