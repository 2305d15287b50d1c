/** The thread of the forwarding server; a separate entry, started by `forwarder-thread.ts`. */
import {type MessagePort, parentPort} from 'node:worker_threads'

import {startForwarder} from '../forwarder/server.ts'
import type {Forwarder, Listen} from '../forwarder/types.ts'
import {createCollector} from './collector.ts'
import {endWithin, Leaving, listenSomewhere} from './forwarder-listen.ts'
import type {FromForwarder, ToForwarder} from './forwarder-messages.ts'

/** Milliseconds of real time. */
const batchMs = 100
const countersMs = 1000

type Serve = Extract<ToForwarder, {kind: 'serve'}>

interface Served {
	forwarder: Forwarder
	/** The request. */
	wanted: Listen
}

/** Runs the forwarding server by messages, in a thread of the console or in that of `cordon forward`. */
function hostForwarder(tell: (message: FromForwarder) => void) {
	const collector = createCollector()
	let served: Served | undefined
	const leaving = new Leaving()
	let batch: NodeJS.Timeout | undefined
	/** Sequentially. */
	let turn: Promise<void> = Promise.resolve()

	const flush = () => {
		batch = undefined
		const taken = collector.take()
		if (taken !== undefined) tell({kind: 'traffic', batch: taken})
	}
	const trouble = (message: string, error?: unknown) => tell({kind: 'trouble', message, error: error === undefined ? null : String(error)})
	const counters = setInterval(() => {
		if (served !== undefined) tell({kind: 'counters', counters: served.forwarder.counters()})
	}, countersMs)
	const start = (message: Serve, listen: Listen) =>
		startForwarder({
			listen,
			config: message.config,
			credentials: message.credentials,
			onRequest: record => {
				collector.add(record)
				batch ??= setTimeout(flush, batchMs)
			},
			onTrouble: trouble
		})
	const serve = async (message: Serve) => {
		if (served !== undefined && isSame(served.wanted, message.listen)) {
			served.forwarder.setCredentials(message.credentials)
			return served.forwarder.reload(message.config)
		}
		if (served !== undefined) leaving.leave(served.forwarder)
		served = undefined
		const started = await listenSomewhere(message.listen, listen => start(message, listen))
		if ('failure' in started) return tell({kind: 'failed', problem: started.failure})
		served = {forwarder: started.forwarder, wanted: message.listen}
		tell({kind: 'listening', listen: started.forwarder.listen, problem: started.problem})
	}
	const close = async (drainMs: number) => {
		const all = [...leaving, ...(served === undefined ? [] : [served.forwarder])]
		served = undefined
		await endWithin(all, drainMs)
		clearInterval(counters)
		clearTimeout(batch)
		flush()
		tell({kind: 'closed'})
	}
	const handle = async (message: ToForwarder) => {
		if (message.kind === 'serve') return serve(message)
		if (message.kind === 'close') return close(message.drainMs)
		if (message.kind === 'config') return served?.forwarder.reload(message.config)
		return served?.forwarder.setCredentials(message.credentials)
	}
	return {
		take: (message: ToForwarder) => {
			turn = turn.then(() => handle(message)).catch((error: unknown) => trouble('The forwarding server failed.', error))
		}
	}
}

function isSame(one: Listen, other: Listen) {
	return one.host === other.host && one.port === other.port
}

function start(port: MessagePort) {
	const host = hostForwarder(message => {
		port.postMessage(message)
		if (message.kind === 'closed') port.close()
	})
	port.on('message', (message: ToForwarder) => host.take(message))
}

if (parentPort !== null) start(parentPort)
