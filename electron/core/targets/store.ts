/** Stored targets: definition, cursors, and refused items. */
import {CordonError} from '#contract/errors.ts'
import {targetSchema, type RefusedEntry, type TargetDefinition, type TargetRow, type TargetState} from '#model/target.ts'

import type {Database} from '#core/store/database.ts'
import type {Item, Source} from './session.ts'

export interface StoredTarget extends Omit<TargetRow, 'backlog'> {
	/** Increases with each change. */
	readonly revision: number
}

export interface Cursor {
	readonly generation: string
	readonly position: number
}

/** Maximum refused items per target; the newest are kept. */
const mostRefused = 10_000

export type TargetStore = ReturnType<typeof openTargetStore>

interface Row {
	id: string
	definition: string
	createdAt: string
	revision: number
	state: string | null
	sent: number
	refused: number
}

const columns = 'id, definition, created_at AS createdAt, revision, state, sent, refused'

export function openTargetStore(database: Database) {
	const all = () => database.all<Row>(`SELECT ${columns} FROM target ORDER BY name`).map(targetOf)
	return {
		all,
		find(word: string) {
			const found = all().find(({id, definition}) => id === word || definition.name.toLowerCase() === word.toLowerCase())
			if (found !== undefined) return found
			throw new CordonError('not_found', `There is no target "${word}".`, {fix: 'List them with "cordon targets list".'})
		},
		refuseTaken(id: string, {name}: TargetDefinition) {
			if (all().some(each => each.id !== id && each.definition.name.toLowerCase() === name.toLowerCase()))
				throw new CordonError('taken', `There is a target "${name}" already.`, {field: 'name'})
		},
		put: (id: string, definition: TargetDefinition, now: string) =>
			void database.run(
				`INSERT INTO target (id, name, definition, created_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, definition = excluded.definition, revision = revision + 1`,
				...[id, definition.name, JSON.stringify(definition), now]
			),
		remove: (id: string) => void database.run('DELETE FROM target WHERE id = ?', id),
		setState: (id: string, {sent: _sent, refused: _refused, ...state}: TargetState) =>
			void database.run('UPDATE target SET state = ? WHERE id = ?', JSON.stringify(state), id),
		cursor: (id: string, source: Source) =>
			database.get<Cursor>('SELECT generation, position FROM target_cursor WHERE target = ? AND source = ?', id, source),
		setCursor(id: string, source: Source, {generation, position}: Cursor, sent = 0) {
			database.transaction(() => {
				database.run(
					`INSERT INTO target_cursor VALUES (?, ?, ?, ?) ON CONFLICT (target, source)
            DO UPDATE SET generation = excluded.generation, position = excluded.position`,
					...[id, source, generation, position]
				)
				if (sent > 0) database.run('UPDATE target SET sent = sent + ? WHERE id = ?', sent, id)
			})
		},
		refuse: (id: string, source: Source, item: Item, reason: string, at: string) => refuse(database, {target: id, source, item, reason, at}),
		refused: (id: string, most: number) =>
			database.all<RefusedEntry>(
				'SELECT at, source, id, reason, body FROM target_refused WHERE target = ? ORDER BY number DESC LIMIT ?',
				...[id, most]
			)
	}
}

interface Refusal {
	target: string
	source: Source
	item: Item
	reason: string
	at: string
}

/** Durable on return: the cursor moves past it. Repeated refusals are stored once. */
function refuse(database: Database, {target, source, item, reason, at}: Refusal) {
	database.transaction(
		() => {
			const {changes} = database.run(
				'INSERT OR IGNORE INTO target_refused (target, at, source, id, reason, body) VALUES (?, ?, ?, ?, ?, ?)',
				...[target, at, source, item.id, reason, item.body]
			)
			database.run('UPDATE target SET refused = refused + ? WHERE id = ?', changes, target)
			database.run(
				`DELETE FROM target_refused WHERE target = ? AND number <=
          (SELECT number FROM target_refused WHERE target = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
				...[target, target, mostRefused]
			)
		},
		{durable: true}
	)
}

function targetOf({definition, state, sent, refused, ...row}: Row): StoredTarget {
	const idle = {phase: 'off', since: row.createdAt, problem: null, nextTryAt: null, lastSentAt: null}
	// Written by `setState`.
	const told = (state === null ? idle : JSON.parse(state)) as TargetState
	return {...row, definition: targetSchema.parse(JSON.parse(definition)), state: {...told, sent, refused}}
}
