/** slowhttptest against a forwarding server in a separate process, with a large and a small answer behind it. */
import {spawn} from 'node:child_process'
import {setTimeout as sleep} from 'node:timers/promises'

import {startInstance} from './scene.ts'
import {startForwarderProcess, type ForwarderProcess} from './forwarder-process.ts'

export const slowKinds = ['headers', 'body', 'read'] as const
export type SlowKind = (typeof slowKinds)[number]

export interface SlowReport {
	kind: SlowKind
	/** Whether each probe in between was answered within 5 s. */
	available: boolean
	/** Connections opened by the attacker, which notices the end of some late. */
	opened: number
	seconds: number
}

export interface SlowRun {
	reports: readonly SlowReport[]
	/** Most descriptors at once, beyond those at rest. */
	peak: number
	/** Seconds until the server had closed all sockets of the attack, or its duration if some were left. */
	heldSeconds: number
	/** Descriptors beyond those at rest, after the attackers have left. */
	leaked: number
}

interface Attack {
	connections: number
	seconds: number
}

/** All attacks at once, each with this many connections; ends early when no connection is left. */
export async function attackSlowly(attack: Attack, kinds: readonly SlowKind[] = slowKinds): Promise<SlowRun> {
	const large = Buffer.alloc(4 << 20, 'x')
	const instance = await startInstance((request, response) => {
		request.resume().once('end', () => response.end(request.url === '/large' ? large : 'small'))
	})
	const forwarder = await startForwarderProcess([{name: 'slow', listenPort: instance.port}])
	const rest = forwarder.openFiles()
	const held = watchDescriptors(forwarder, rest)
	try {
		const reports = await Promise.all(kinds.map(kind => attackOnce(forwarder, kind, attack)))
		return {reports, ...held.stop(), leaked: await leftOpen(forwarder, rest)}
	} finally {
		held.stop()
		await forwarder.stop()
		await instance.stop()
	}
}

/** Up to two kept connections to the instance are no leak. */
const kept = 2

/** Until `stop`; held for as long as more are open than at rest. */
function watchDescriptors(forwarder: ForwarderProcess, rest: number) {
	const began = performance.now()
	let [heldSeconds, peak] = [0, 0]
	const timer = setInterval(() => {
		const open = forwarder.openFiles() - rest
		peak = Math.max(peak, open)
		if (open > kept) heldSeconds = (performance.now() - began) / 1000
	}, 250)
	return {
		stop: () => {
			clearInterval(timer)
			return {heldSeconds, peak}
		}
	}
}

async function leftOpen(forwarder: ForwarderProcess, rest: number) {
	// Below `bodyGraceMs`, which would end it anyway.
	const end = performance.now() + 15_000
	while (performance.now() < end && forwarder.openFiles() - rest > kept) await sleep(50)
	return Math.max(0, forwarder.openFiles() - rest - kept)
}

const ways: Readonly<Record<SlowKind, readonly string[]>> = {
	headers: ['-H', '-i', '1'],
	// More than is ever sent, in pieces below any rate.
	body: ['-B', '-i', '1', '-s', '1000000', '-x', '8'],
	read: ['-X', '-w', '10', '-y', '20', '-n', '1', '-z', '5', '-k', '1']
}

async function attackOnce({port}: ForwarderProcess, kind: SlowKind, attack: Attack): Promise<SlowReport> {
	const path = kind === 'read' ? 'large' : 'small'
	const url = `https://localhost:${port}/instance/execute/slow/${path}`
	const {connections, seconds} = attack
	const shape = ['-c', String(connections), '-r', String(connections), '-l', String(seconds), '-p', '5', '-u', url]
	const began = performance.now()
	const output = await outputOf('slowhttptest', [...ways[kind], ...shape])
	return {kind, ...lastStatus(output), seconds: (performance.now() - began) / 1000}
}

function outputOf(command: string, args: readonly string[]): Promise<string> {
	const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'pipe']})
	let output = ''
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (output += part))
	return new Promise((resolve, reject) => {
		child.once('error', reject)
		child.once('close', () => resolve(output))
	})
}

function lastStatus(output: string): Pick<SlowReport, 'available' | 'opened'> {
	const plain = output.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '')
	const last = (name: string) => Number([...plain.matchAll(new RegExp(`${name}:\\s+(\\d+)`, 'g'))].at(-1)?.[1] ?? Number.NaN)
	const answers = [...plain.matchAll(/service available:\s+(YES|NO)/g)].map(match => match[1])
	return {available: answers.length > 0 && answers.every(answer => answer === 'YES'), opened: last('connected') + last('closed')}
}
