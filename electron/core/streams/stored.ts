/** Event streams of the profile: one for each connection, and unreadable messages. */
import {hash} from 'node:crypto'

import type {ReadStream, UnreadableMessage} from '#contract/streams.ts'
import type {StreamState} from '#model/event-stream.ts'

import type {Database} from '#core/store/database.ts'

/** With its password in the secret store. */
export interface OwnStream extends ReadStream {
	readonly connection: string
	readonly port: number
	readonly user: string
	readonly queue: string
}

/** Maximum stored messages; the newest are kept. */
const mostMessages = 1000
/** Maximum stored bytes of a message. */
const mostBytes = 65_536

const columns = 'connection, id, name, host, port, user_name AS user, queue, created_at AS createdAt'

export type StoredStreams = ReturnType<typeof openStoredStreams>

export function openStoredStreams(database: Database) {
	return {
		of: (connection: string) => database.get<OwnStream>(`SELECT ${columns} FROM event_stream WHERE connection = ?`, connection),
		all: () => database.all<OwnStream>(`SELECT ${columns} FROM event_stream ORDER BY rowid`),
		put: ({connection, id, name, host, port, user, queue, createdAt}: OwnStream) =>
			void database.run(
				'INSERT INTO event_stream (connection, id, name, host, port, user_name, queue, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
				...[connection, id, name, host, port, user, queue, createdAt]
			),
		remove: (connection: string) => void database.run('DELETE FROM event_stream WHERE connection = ?', connection),
		state: (connection: string) => stateOf(database, connection),
		setState: (connection: string, state: StreamState) =>
			void database.run('UPDATE event_stream SET state = ? WHERE connection = ?', JSON.stringify(state), connection),
		keep: (connection: string, content: Uint8Array, reason: string, at: string) => keep(database, {connection, content, reason, at}),
		/** Newest first. */
		unreadable: (connection: string, most: number) =>
			database
				.all<Omit<UnreadableMessage, 'text'> & {raw: Uint8Array}>(
					'SELECT at, reason, size, raw FROM event_stream_message WHERE connection = ? ORDER BY number DESC LIMIT ?',
					connection,
					most
				)
				.map(({raw, ...message}) => ({...message, text: new TextDecoder().decode(raw)}))
	}
}

function stateOf(database: Database, connection: string) {
	const row = database.get<{state: string | null}>('SELECT state FROM event_stream WHERE connection = ?', connection)
	// Written by `setState`.
	return row?.state === undefined || row.state === null ? null : (JSON.parse(row.state) as StreamState)
}

interface Kept {
	connection: string
	content: Uint8Array
	reason: string
	at: string
}

/** Durable on return: the queue drops the message after that. A redelivered one is stored once. */
function keep(database: Database, {connection, content, reason, at}: Kept) {
	database.transaction(
		() => {
			database.run(
				'INSERT OR IGNORE INTO event_stream_message (connection, digest, at, reason, size, raw) VALUES (?, ?, ?, ?, ?, ?)',
				...[connection, hash('sha256', content, 'hex'), at, reason, content.byteLength],
				content.subarray(0, mostBytes)
			)
			database.run(
				`DELETE FROM event_stream_message WHERE connection = ? AND number NOT IN
          (SELECT number FROM event_stream_message WHERE connection = ? ORDER BY number DESC LIMIT ?)`,
				connection,
				connection,
				mostMessages
			)
		},
		{durable: true}
	)
}
