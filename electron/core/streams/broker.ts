/** One connection to the queue of an event stream: AMQP 0-9-1 over TLS. The only place that uses amqplib. */
import {isIP} from 'node:net'
import type {Channel, ChannelModel, ConsumeMessage} from 'amqplib'

import {messageOf} from '#contract/errors.ts'
import {streamKeepsDays, type StreamState} from '#model/event-stream.ts'
import {verifying} from '#core/service/api/trust.ts'

interface BrokerOptions {
	host: string
	port: number
	user: string
	password: string
	queue: string
	/** Additional trusted certificates (PEM). */
	extraCa: readonly string[]
	insecure: boolean
}

export interface Delivery {
	readonly content: Uint8Array
	readonly redelivered: boolean
	/** Confirms that this and all earlier messages are stored. */
	acknowledge(): void
}

/** Why there is no connection. After a `final` end retrying is useless. */
export interface BrokerEnd {
	readonly final: boolean
	readonly problem: NonNullable<StreamState['problem']>
}

export type BrokerSession = Awaited<ReturnType<typeof openBroker>>

/** Maximum messages on their way to the store; the queue keeps the rest. */
const prefetch = 1000
const heartbeatSeconds = 30
const connectMs = 10_000

/** Connects and delivers every message. Throws {@link BrokerError}. */
export async function openBroker(options: BrokerOptions, onMessage: (delivery: Delivery) => void) {
	const {promise: ended, resolve} = Promise.withResolvers<BrokerEnd>()
	const end = (error: unknown) => resolve(endOf(error, options))
	const model = await connected(options)
	model.on('error', end)
	model.on('close', error => end(error ?? new Error('the connection was closed')))
	try {
		const channel = await model.createChannel()
		channel.on('error', end)
		channel.on('close', () => end(new Error('the channel was closed')))
		const waiting = await consume(channel, options.queue, onMessage, end)
		return {
			/** Messages waiting in the queue at the beginning. */
			waiting,
			ended,
			/** Unacknowledged messages are delivered again to the next reader. */
			close: () => closed(model)
		}
	} catch (error) {
		await closed(model)
		throw new BrokerError(endOf(error, options))
	}
}

export class BrokerError extends Error {
	readonly end: BrokerEnd

	constructor(end: BrokerEnd) {
		super(end.problem.message)
		this.end = end
	}
}

async function connected(options: BrokerOptions) {
	const {host, port, user, password, insecure, extraCa} = options
	const at = {protocol: 'amqps', hostname: host, port, username: user, password, vhost: '/'}
	const trust = {...(isIP(host) === 0 && {servername: host}), ...verifying(extraCa, !insecure)}
	// Loaded on demand: few profiles have a stream.
	const {connect} = await import('amqplib')
	try {
		return await connect({...at, heartbeat: heartbeatSeconds}, {...trust, timeout: connectMs, noDelay: true})
	} catch (error) {
		throw new BrokerError(endOf(error, options))
	}
}

/** The queue belongs to the service: it is checked, never declared, and read exclusively. */
async function consume(channel: Channel, queue: string, onMessage: (delivery: Delivery) => void, end: (error: unknown) => void) {
	const {messageCount} = await channel.checkQueue(queue)
	await channel.prefetch(prefetch)
	const deliver = (message: ConsumeMessage | null) => {
		if (message === null) return end(new Error('the service ended the reading'))
		onMessage({content: message.content, redelivered: message.fields.redelivered, acknowledge: () => channel.ack(message, true)})
	}
	await channel.consume(queue, deliver, {exclusive: true})
	return messageCount
}

async function closed(model: ChannelModel) {
	// A lost connection has nothing to close.
	await model.close().catch(() => {})
}

/** Reply codes of AMQP 0-9-1, from amqplib's error or its text. */
function replyCodeOf(error: unknown) {
	if (!(error instanceof Error)) return null
	if ('code' in error && typeof error.code === 'number') return error.code
	const found = /\b(40[2-6]|530) \(/.exec(error.message)
	return found === null ? null : Number(found[1])
}

const away = `Cordon reconnects automatically. New events wait in the queue for ${streamKeepsDays} days.`

/** Pure: what a connection error means for the reader. */
export function endOf(error: unknown, {host, port, queue}: Pick<BrokerOptions, 'host' | 'port' | 'queue'>) {
	if (error instanceof BrokerError) return error.end
	const text = messageOf(error).replace(/\.$/, '')
	const code = replyCodeOf(error)
	const again = (message: string, fix = away): BrokerEnd => ({final: false, problem: {message, fix}})
	const never = (message: string, fix: string): BrokerEnd => ({final: true, problem: {message, fix}})
	const isTaken = /exclusive use|in exclusive|exclusive access|RESOURCE.LOCKED/i.test(text)
	if (isTaken)
		return again(
			'Another program reads this event stream.',
			'End the other program, or create a stream of your own. Two readers would share the events.'
		)
	// The broker is starting, or a node is down: the queue still exists.
	if (code === 404 && /down or inaccessible/i.test(text)) return again(`The queue ${queue} is not available yet.`)
	if (code === 404) return never(`The service no longer has the queue ${queue}.`, 'Run "cordon stream delete", then "cordon stream create".')
	if (code === 403 || code === 530)
		return never(
			`The service refused the password of this event stream or access to its queue ${queue}.`,
			'Run "cordon stream delete", then "cordon stream create": the service tells a new password.'
		)
	return again(`${host} port ${port} is not connected: ${text}.`)
}
