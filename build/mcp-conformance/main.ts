/**
 * Tests the MCP door with the protocol's own suite. The suite is large, so only this fetches it, as of its release;
 * `baseline.yml` lists what does not apply. Exit code 2: the suite could not be fetched.
 */
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync} from 'node:fs'
import {createServer, request, type IncomingHttpHeaders} from 'node:http'
import type {AddressInfo} from 'node:net'
import {fileURLToPath} from 'node:url'

import {createApp} from '#core/app/app.ts'
import {createProgramLog} from '#base/log.ts'
import {testPorts} from '#base/testing/ports.ts'
import {gateway} from '#gateway/instances/gateway.ts'
import {startSandbox} from '#sandbox/server.ts'

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const released = '2026-10-02'
const folder = fileURLToPath(new URL('../../.cache/mcp-conformance', import.meta.url))
const program = `${folder}/node_modules/@modelcontextprotocol/conformance/dist/index.js`
const baseline = fileURLToPath(new URL('baseline.yml', import.meta.url))

function fetched() {
	if (existsSync(program)) return true
	mkdirSync(folder, {recursive: true})
	const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', `--before=${released}`]
	spawnSync('npm', ['install', '--prefix', folder, ...flags, suite], {stdio: ['ignore', 2, 2], timeout: 300_000})
	return existsSync(program)
}

/** The suite has no token, so its requests get one. Hosts and origins that it makes up pass unchanged. */
async function withToken(port: number, token: string) {
	const server = createServer((from, response) => {
		const {url, method, headers} = from
		const {port: here} = server.address() as AddressInfo // it listens
		const host = headers.host === `127.0.0.1:${here}` ? `127.0.0.1:${port}` : headers.host
		const sent: IncomingHttpHeaders = {...headers, host, authorization: `Bearer ${token}`}
		const onwards = request({port, path: url, method, headers: sent}, answer => {
			response.writeHead(answer.statusCode ?? 502, answer.headers)
			answer.pipe(response)
		})
		onwards.on('error', () => response.destroy())
		response.on('close', () => onwards.destroy())
		from.pipe(onwards)
	})
	await once(server.listen(0, '127.0.0.1'), 'listening')
	return server
}

async function conforms(): Promise<number> {
	const ports = testPorts()
	const sandbox = await startSandbox({port: 0, computers: 20, seed: 'conformance', now: ports.clock.now})
	const programLog = createProgramLog({level: 'silent'})
	const app = await createApp(ports, {gateway, version: '0.0.0', sandbox, programLog})
	const {doors} = app.deps
	const {address} = await doors.set({on: true, port: 0}, 'cli')
	const may = {kind: 'assistant', scope: 'change', perMinute: 1_000_000} as const
	const {token} = doors.tokens.create({name: 'suite', connections: ['sandbox'], ...may}, 'cli')
	const server = await withToken(Number(new URL(address ?? '').port), token)
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` // it listens
	const args = ['server', '--url', url, '--requirements', '2026-07-28', '--expected-failures', baseline]
	try {
		const child = spawn(process.execPath, [program, ...args], {cwd: folder, stdio: ['ignore', 2, 2]})
		const [code] = (await once(child, 'exit')) as [number | null]
		return code === 0 ? 0 : 1
	} finally {
		server.closeAllConnections()
		server.close()
		await app.stop()
		await sandbox.stop()
		ports.remove()
	}
}

process.exitCode = fetched() ? await conforms() : 2
