/** Messages over one stream: each a length of four bytes and that much JSON. Both ends first prove the secret. */
import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto'
import type {Duplex} from 'node:stream'

import {CordonError} from '#contract/errors.ts'

export type Message = Readonly<Record<string, unknown>>

export interface Channel {
	/** Resolves when the system accepted it, so that the sender is no faster than the reader. Never rejects. */
	send(message: Message): Promise<void>
	/** Incoming messages, read on demand; ends with the other end. Throws for an invalid message. */
	readonly messages: AsyncGenerator<Message, void>
	close(): void
}

interface Proving {
	secret: string
	/** Of this program. */
	version: string
}

/** Increase with every message change that the program version does not reveal. */
const protocol = 1
/** Limit before the secret is proved. */
const strangerBytes = 4096
/** Limit after that. */
export const messageBytes = 1 << 20

interface Opened extends Channel {
	/** The other end is authenticated from now on. */
	trust(): void
}

/** The console's side. `undefined` for a peer that does not know the secret or sends nothing. */
export async function admit(stream: Duplex, {secret, version}: Proving): Promise<Channel | undefined> {
	const channel = overStream(stream)
	const hello = await next(channel)
	const [theirs, nonce] = [textOf(hello, 'version'), textOf(hello, 'nonce')]
	if (hello?.['hello'] !== 'cordon' || theirs === undefined || nonce === undefined) return undefined
	const facts = {client: nonce, server: newNonce(), clientVersion: theirs, serverVersion: version}
	await channel.send({version, nonce: facts.server, proof: proofOf(secret, 'console', facts)})
	const proof = textOf(await next(channel), 'proof')
	if (proof === undefined || !isEqual(proof, proofOf(secret, 'command line', facts)) || theirs !== version) return undefined
	channel.trust()
	return channel
}

/** The command line's side. Throws `forbidden` for an unauthenticated console and `busy` for one of another version. */
export async function introduce(stream: Duplex, {secret, version}: Proving): Promise<Channel> {
	const channel = overStream(stream)
	const nonce = newNonce()
	await channel.send({hello: 'cordon', version, nonce})
	const answer = await next(channel)
	if (answer === undefined)
		throw new CordonError('busy', 'The console on this profile ended the connection. Nothing was done: run the command again.')
	const [theirs, server, proof] = ['version', 'nonce', 'proof'].map(name => textOf(answer, name))
	if (theirs === undefined || server === undefined || proof === undefined) throw stranger()
	const facts = {client: nonce, server, clientVersion: version, serverVersion: theirs}
	if (!isEqual(proof, proofOf(secret, 'console', facts))) throw stranger()
	if (theirs !== version) throw otherVersion(theirs, version)
	await channel.send({proof: proofOf(secret, 'command line', facts)})
	channel.trust()
	return channel
}

function overStream(stream: Duplex): Opened {
	let most = strangerBytes
	// Stream errors end it; the readers of messages notice.
	stream.on('error', () => {})
	return {
		send: message => write(stream, message),
		messages: read(stream, () => most),
		close: () => {
			stream.end()
			// Discards the rest, so that the end is seen.
			stream.resume()
		},
		trust: () => (most = messageBytes)
	}
}

function write(stream: Duplex, message: Message): Promise<void> {
	const body = Buffer.from(JSON.stringify(message))
	const head = Buffer.alloc(4)
	head.writeUInt32BE(body.length)
	return new Promise(resolve => {
		if (stream.destroyed || stream.writableEnded) return resolve()
		const done = () => {
			stream.off('close', done)
			resolve()
		}
		stream.once('close', done)
		stream.write(Buffer.concat([head, body]), done)
	})
}

/** Reads only on demand: a slow reader holds up the sender. */
async function* read(stream: Duplex, most: () => number): AsyncGenerator<Message, void> {
	let kept: Buffer = Buffer.alloc(0)
	try {
		for await (const chunk of stream.iterator({destroyOnReturn: false})) {
			kept = Buffer.concat([kept, chunk as Buffer])
			for (let size = sizeOf(kept, most()); size !== undefined && kept.length >= size + 4; size = sizeOf(kept, most())) {
				const body = kept.subarray(4, size + 4)
				kept = kept.subarray(size + 4)
				yield parsed(body)
			}
		}
	} catch (error) {
		if (error instanceof CordonError) throw error
		// The other end has closed.
	}
}

function sizeOf(kept: Buffer, most: number) {
	if (kept.length < 4) return undefined
	const size = kept.readUInt32BE(0)
	if (size <= most) return size
	throw new CordonError('internal', `A message of ${size} bytes is more than Cordon takes.`)
}

function parsed(body: Buffer) {
	try {
		const value: unknown = JSON.parse(body.toString('utf8'))
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Message
	} catch {
		// Reported below.
	}
	throw new CordonError('internal', 'A message is not JSON.')
}

async function next(channel: Channel) {
	const {value} = await channel.messages.next()
	return value ?? undefined
}

interface Facts {
	client: string
	server: string
	clientVersion: string
	serverVersion: string
}

function proofOf(secret: string, side: 'console' | 'command line', {client, server, clientVersion, serverVersion}: Facts) {
	const said = JSON.stringify([protocol, side, client, server, clientVersion, serverVersion])
	return createHmac('sha256', secret).update(said).digest('base64')
}

function isEqual(given: string, right: string) {
	const [left, other] = [Buffer.from(given), Buffer.from(right)]
	return left.length === other.length && timingSafeEqual(left, other)
}

function newNonce() {
	return randomBytes(32).toString('base64')
}

function textOf(message: Message | undefined, name: string) {
	const value = message?.[name]
	return typeof value === 'string' && value.length <= 256 ? value : undefined
}

function stranger() {
	return new CordonError(
		'forbidden',
		'Something answers in place of the console of this profile and does not know its secret. Nothing was sent to it. Start the console again.'
	)
}

function otherVersion(console: string, own: string) {
	return new CordonError(
		'busy',
		`The console on this profile is Cordon ${console}, and this command line is Cordon ${own}. Nothing was done. Start the console again after an update, or use the command line of its version.`
	)
}
