/** RabbitMQ with its management interface as the broker of the sandbox's event streams. */
import {connect} from 'amqplib'

import type {StreamBroker} from '../event-streams.ts'

export interface RabbitOptions {
	host: string
	/** AMQP over TLS. */
	port: number
	/** The certificate authority (PEM). */
	ca: string
	/** `http://127.0.0.1:PORT` */
	adminUrl: string
	user: string
	password: string
}

export interface RabbitBroker extends StreamBroker {
	/** Resolves when everything published is on the broker's disk. */
	settled(): Promise<void>
	stop(): Promise<void>
}

/** The service drops messages after ten days. */
const keptMs = 10 * 86_400_000

export async function connectRabbit(options: RabbitOptions): Promise<RabbitBroker> {
	const {host, port, ca, user, password} = options
	const at = {protocol: 'amqps', hostname: host, port, username: user, password, vhost: '/'}
	const model = await connect(at, {ca: [ca], servername: host})
	// The owner of the broker learns of its end elsewhere.
	model.on('error', () => {})
	const channel = await model.createConfirmChannel()
	channel.on('error', () => {})
	return {
		host,
		port,
		open: async (queue, name, secret) => {
			const settings = {durable: true, arguments: {'x-message-ttl': keptMs}}
			await admin(options, 'PUT', ['queues', '/', queue], settings)
			await admin(options, 'PUT', ['users', name], {password: secret, tags: ''})
			await admin(options, 'PUT', ['permissions', '/', name], {configure: '^$', write: '^$', read: `^${queue}$`})
		},
		close: async (queue, name) => {
			await admin(options, 'DELETE', ['queues', '/', queue])
			await admin(options, 'DELETE', ['users', name])
		},
		publish: (queue, body) => void channel.sendToQueue(queue, Buffer.from(body), {persistent: true}),
		settled: () => channel.waitForConfirms(),
		stop: async () => model.close().catch(() => {})
	}
}

async function admin(
	{adminUrl, user, password}: RabbitOptions,
	method: 'PUT' | 'DELETE',
	path: string[],
	body?: Readonly<Record<string, unknown>>
) {
	const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
	const answer = await fetch(`${adminUrl}/api/${path.map(encodeURIComponent).join('/')}`, {
		method,
		headers: {authorization, 'content-type': 'application/json'},
		...(body !== undefined && {body: JSON.stringify(body)})
	})
	await answer.arrayBuffer()
	if (!answer.ok && answer.status !== 404) throw new Error(`The broker answered ${method} ${path.join('/')} with ${answer.status}`)
}
