/** Each subject serves the same route with the same certificate, in front of the same upstream. */
import {spawnSync, type ChildProcess} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {freePort, nginxUser, startProgram, type Lab} from './lab.ts'
import {endProgram} from '../processes.ts'
import {at} from '../../lib/paths.mjs'

export const peers = join(import.meta.dirname, '..', 'peers')

export interface Subject {
	name: string
	version: string
	port: number
	pid: number
	stop(): Promise<void>
}

type Start = (lab: Lab, port: number) => Promise<ChildProcess>

interface Maker {
	name: string
	version: () => string
	start: Start
}

const makers: readonly Maker[] = [
	{name: 'cordon', version: ownVersion, start: startCordon},
	{name: 'nginx', version: () => versionOf('nginx', '-v'), start: startNginx},
	{name: 'haproxy', version: () => versionOf('haproxy', '-v'), start: startHaproxy},
	{name: 'caddy', version: () => versionOf('caddy', 'version'), start: startCaddy},
	{name: '@fastify/http-proxy', version: () => peerVersion('@fastify/http-proxy'), start: startPeer('fastify.mjs')},
	{name: 'http-proxy-3', version: () => peerVersion('http-proxy-3'), start: startPeer('http-proxy-3.mjs')}
]

/** Starts every installed subject; names the others on stderr. */
export async function startSubjects(lab: Lab, wanted: readonly string[]): Promise<readonly Subject[]> {
	const subjects: Subject[] = []
	for (const {name, version, start} of makers.filter(maker => wanted.length === 0 || wanted.includes(maker.name))) {
		const port = await freePort()
		try {
			const child = await start(lab, port)
			subjects.push({name, version: version(), port, pid: child.pid ?? 0, stop: () => endProgram(child)})
		} catch (error) {
			process.stderr.write(`${name} is left out: ${error instanceof Error ? error.message : String(error)}\n`)
		}
	}
	return subjects
}

function startCordon(lab: Lab, port: number) {
	const config = join(lab.folder, 'cordon.json')
	const instances = [
		{name: 'bench', listenPort: lab.upstreamPort},
		{name: 'sink', listenPort: lab.sinkPort}
	].map(instance => ({...instance, healthCheck: {intervalS: 0}}))
	// Like `access_log off` of the others.
	const listen = {host: '127.0.0.1', log: 'failures', certificate: {certificateFile: lab.certificate, keyFile: lab.key}}
	writeFileSync(config, JSON.stringify({parameters: {'instance.execute.external': 'true'}, instances, listen}))
	const state = join(lab.folder, 'cordon-state')
	const script = at('dist', 'node', 'cli.js')
	const args = ['forward', '--config', config, '--port', String(port), '--state', state, '--json']
	return startProgram(process.execPath, [script, ...args], port, 'subject')
}

function startNginx(lab: Lab, port: number) {
	const file = join(lab.folder, 'nginx.conf')
	const route = (name: string) => `location /instance/execute/${name}/ { proxy_pass http://${name}/;
      proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_set_header X-Request-URI $request_uri; proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto https; proxy_request_buffering off; client_max_body_size 0; }`
	writeFileSync(
		file,
		`${nginxUser()} daemon off; worker_processes auto; pid ${lab.folder}/nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000; client_body_temp_path ${lab.folder}/nginx-body; proxy_temp_path ${lab.folder}/nginx-proxy;
  upstream bench { server 127.0.0.1:${lab.upstreamPort}; keepalive 256; keepalive_requests 1000000; }
  upstream sink { server 127.0.0.1:${lab.sinkPort}; keepalive 64; }
  server { listen 127.0.0.1:${port} ssl http2; ssl_certificate ${lab.certificate}; ssl_certificate_key ${lab.key};
    ssl_protocols TLSv1.2 TLSv1.3;
    ${route('bench')}
    ${route('sink')}
  } }
`
	)
	return startProgram('nginx', ['-e', 'stderr', '-c', file], port, 'subject')
}

function startHaproxy(lab: Lab, port: number) {
	const bundle = join(lab.folder, 'haproxy.pem')
	writeFileSync(bundle, readFileSync(lab.certificate, 'utf8') + readFileSync(lab.key, 'utf8'), {mode: 0o600})
	const file = join(lab.folder, 'haproxy.cfg')
	const backend = (name: string, upstream: number) => `backend ${name}
  http-reuse always
  http-request set-header X-Request-URI %[pathq]
  http-request set-header X-Forwarded-For %[src]
  http-request set-path %[path,regsub(^/instance/execute/${name},)]
  server one 127.0.0.1:${upstream} pool-max-conn 512
`
	writeFileSync(
		file,
		`global
  nbthread 2
  ssl-default-bind-options ssl-min-ver TLSv1.2
  tune.ssl.default-dh-param 2048
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 300s
frontend front
  bind 127.0.0.1:${port} ssl crt ${bundle} alpn h2,http/1.1
  use_backend sink if { path_beg /instance/execute/sink/ }
  default_backend bench
${backend('bench', lab.upstreamPort)}${backend('sink', lab.sinkPort)}`
	)
	return startProgram('haproxy', ['-f', file], port, 'subject')
}

function startCaddy(lab: Lab, port: number) {
	const file = join(lab.folder, 'Caddyfile')
	writeFileSync(
		file,
		`{
  admin off
  auto_https off
  storage file_system ${lab.folder}/caddy
  log {
    output discard
  }
}
https://127.0.0.1:${port}, https://localhost:${port} {
  bind 127.0.0.1
  tls ${lab.certificate} ${lab.key}
  handle_path /instance/execute/bench/* {
    reverse_proxy 127.0.0.1:${lab.upstreamPort}
  }
  handle_path /instance/execute/sink/* {
    reverse_proxy 127.0.0.1:${lab.sinkPort}
  }
}
`
	)
	return startProgram('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port, 'subject')
}

function startPeer(script: string): Start {
	return (lab, port) => {
		installPeers()
		const args = [port, lab.upstreamPort, lab.sinkPort].map(String)
		return startProgram(process.execPath, [join(peers, script), ...args, lab.certificate, lab.key], port, 'subject')
	}
}

export function installPeers() {
	const {status} = spawnSync('npm', ['install', '--no-package-lock', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], {
		cwd: peers,
		stdio: ['ignore', 'ignore', 'inherit']
	})
	if (status !== 0) throw new Error('its packages could not be installed')
}

function peerVersion(name: string) {
	const text = readFileSync(join(peers, 'node_modules', name, 'package.json'), 'utf8')
	return (JSON.parse(text) as {version: string}).version // a package's own description
}

function ownVersion() {
	const text = readFileSync(at('package.json'), 'utf8')
	return (JSON.parse(text) as {version: string}).version // a package's own description
}

function versionOf(command: string, flag: string) {
	const {stdout, stderr} = spawnSync(command, [flag], {encoding: 'utf8'})
	return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? '?'
}
