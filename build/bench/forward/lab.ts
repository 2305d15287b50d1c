/** The lab of the forwarding bench: a folder, a certificate that every subject serves, an upstream for all. */
import {execFileSync, spawn, type ChildProcess} from 'node:child_process'
import {mkdirSync, truncateSync, writeFileSync} from 'node:fs'
import {once} from 'node:events'
import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {openPort} from '#base/testing/port.ts'

import {benchFolder} from '../folder.ts'
import {endProgram} from '../processes.ts'

export type Lab = Awaited<ReturnType<typeof openLab>>

export async function openLab() {
	const folder = benchFolder()
	const certificate = join(folder, 'server.pem')
	const key = join(folder, 'server.key')
	makeCertificate(certificate, key)
	makeFiles(join(folder, 'files'))
	/** Serves `/small`, `/64k` and `/1g` over plain HTTP with kept connections. */
	const upstreamPort = await freePort()
	/** Reads uploads to the end and answers with their length. */
	const sinkPort = await freePort()
	const children = [
		await startProgram('nginx', ['-e', 'stderr', '-c', upstreamConfig(folder, upstreamPort)], upstreamPort, 'others'),
		await startProgram(process.execPath, [join(import.meta.dirname, 'sink.ts'), String(sinkPort)], sinkPort, 'others')
	]
	const stop = async () => {
		for (const child of children) await endProgram(child)
	}
	return {folder, certificate, key, upstreamPort, sinkPort, stop}
}

function makeCertificate(certificate: string, key: string) {
	const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '30']
	const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
	execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', certificate, ...subject], {stdio: 'ignore'})
}

function makeFiles(folder: string) {
	mkdirSync(folder)
	writeFileSync(join(folder, 'small'), `${JSON.stringify({ok: true, list: 'x'.repeat(100)})}\n`)
	writeFileSync(join(folder, '64k'), Buffer.alloc(65_536, 'cordon\n'))
	writeFileSync(join(folder, '1g'), '')
	truncateSync(join(folder, '1g'), 2 ** 30)
}

/** nginx started as root drops its rights, and could then not read a private folder. */
export function nginxUser() {
	return process.getuid?.() === 0 ? 'user root;' : ''
}

export function nginxTemporary(folder: string) {
	return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')
}

/** One worker: it is not measured, and the machine has two processors. */
function upstreamConfig(folder: string, port: number) {
	const file = join(folder, 'upstream.conf')
	writeFileSync(
		file,
		`${nginxUser()} daemon off; worker_processes 1; pid ${folder}/upstream.pid; error_log stderr crit;
events { worker_connections 4096; }
http { access_log off; sendfile on; keepalive_requests 1000000; default_type application/octet-stream;
  client_body_temp_path ${folder}/upstream-body;
  server { listen 127.0.0.1:${port}; root ${folder}/files; } }
`
	)
	return file
}

/** The subject has a processor of its own; load and upstream share the other. */
const processorOf = {subject: 0, others: 1} as const

type Part = keyof typeof processorOf

export function pinned(part: Part, command: string, args: readonly string[]): [command: string, args: readonly string[]] {
	return process.platform === 'linux' ? ['taskset', ['-c', String(processorOf[part]), command, ...args]] : [command, args]
}

/** Resolves when the program's port answers. Without `part` it runs on any processor. */
export async function startProgram(command: string, args: readonly string[], port: number, part?: Part): Promise<ChildProcess> {
	const words = part === undefined ? ([command, args] as const) : pinned(part, command, args)
	const child = spawn(...words, {stdio: ['ignore', 'ignore', 'inherit']})
	const ended = new Promise<never>((_resolve, reject) => {
		child.once('error', reject)
		child.once('exit', code => reject(new Error(`${command} ended with ${code} before it was ready`)))
	})
	await Promise.race([answers(port), ended])
	ended.catch(() => {})
	return child
}

async function answers(port: number) {
	for (let attempt = 0; attempt < 200; attempt += 1) {
		if (await opens(port)) return
		await sleep(50)
	}
	throw new Error(`Nothing listens on port ${port}.`)
}

function opens(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect(port, '127.0.0.1')
		socket.once('connect', () => resolve(true))
		socket.once('error', () => resolve(false))
		socket.once('close', () => resolve(false))
		socket.once('connect', () => socket.destroy())
	})
}

export async function freePort() {
	const server = createServer()
	const port = await openPort(server)
	server.close()
	await once(server, 'close')
	return port
}
