/** The real application behind the real gate on a real WebSocket, as for a page. */
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {createORPCClient} from '@orpc/client'
import {RPCLink} from '@orpc/client/websocket'
import type {ContractRouterClient} from '@orpc/contract'
import {WebSocket} from 'ws'

import {startApp} from '#gateway/instances/testing/app.ts'
import {createProgramLog} from '#base/log.ts'
import {systemClock} from '#base/system.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import type {Contract} from '#contract/contract.ts'

import {startServer} from '../server.ts'
import {openSessions} from '../sessions.ts'
import {createWire} from '../wire.ts'

export const connection = 'sandbox'

export type Client = ContractRouterClient<Contract>

export interface WirePage {
	socket: WebSocket
	client: Client
	/** Messages of the console, as text. */
	frames: string[]
}

export type WireWorld = Awaited<ReturnType<typeof openWireWorld>>

interface Service {
	url: string
	clientId: string
	apiKey: string
}

/** On the test's sandbox; resolves when its computers are loaded. */
export async function openWireWorld(sandbox: Service) {
	const lines: string[] = []
	const ports: TestPorts = {...testPorts(), clock: systemClock as TestPorts['clock']}
	const programLog = createProgramLog({level: 'debug', destination: {write: line => void lines.push(line)}})
	const random = randomBytes
	const sessions = openSessions({profile: ports.profile, now: Date.now, random})
	const app = await startApp({...ports, sessions}, {sandbox, programLog})
	// Joins the initial read.
	await app.inventory(connection).refresh()
	const pageFolder = join(ports.profile, 'page')
	mkdirSync(pageFolder)
	writeFileSync(join(pageFolder, 'index.html'), '')
	const onWire = createWire(app.router, systemClock)
	const server = await startServer({pageFolder, port: 0, sessions, clock: systemClock, random, onWire})
	const enter = (agent: string) => `cordon_${server.port}=${sessions.open(agent)}`
	const cookie = enter('a test')
	return {
		ports,
		app,
		server,
		/** Lines in the program's log. */
		lines,
		/** In a browser of its own with a name. */
		openPage: (agent?: string) => openPage(server.port, agent === undefined ? cookie : enter(agent)),
		stop: async () => {
			await server.stop()
			await app.stop()
			ports.remove()
		}
	}
}

export async function openPage(port: number, cookie: string): Promise<WirePage> {
	const origin = `http://127.0.0.1:${port}`
	const socket = new WebSocket(`ws://127.0.0.1:${port}/wire`, {headers: {cookie, origin}})
	const frames: string[] = []
	socket.on('message', data => frames.push(data.toString()))
	await once(socket, 'open')
	// The link expects a browser socket; this one has everything it uses.
	const link = new RPCLink({websocket: socket as unknown as globalThis.WebSocket})
	return {socket, frames, client: createORPCClient<Client>(link)}
}
