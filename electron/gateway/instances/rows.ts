/** Tables `instance`, `instance_alias`, `server_parameter` and the change counter in `forwarding`. */
import {CordonError} from '#contract/errors.ts'
import {instanceDefinitionSchema} from '#model/instance.ts'
import type {ServerParameters} from '#model/server-parameter.ts'

import type {Database} from '#core/store/database.ts'
import type {StoredInstance, Verifiers} from './types.ts'

interface InstanceRecord {
	id: string
	name: string
	listen_port: number
	definition: string
	verifiers: string
	signing_key: number
	restarts: number
	created_at: string
	revision: number
}

/** By name. */
export function listInstances(database: Database): readonly StoredInstance[] {
	const aliases = aliasesOf(database)
	return database.all<InstanceRecord>('SELECT * FROM instance ORDER BY name').map(record => storedOf(record, aliases.get(record.id) ?? []))
}

export function putInstance(database: Database, {instance, verifiers}: StoredInstance) {
	const {id, aliases: _aliases, secrets, createdAt, revision: _revision, ...definition} = instance
	database.run(
		`INSERT INTO instance (id, name, listen_port, definition, verifiers, signing_key, created_at, revision)
     VALUES ($id, $name, $port, $definition, $verifiers, $signingKey, $createdAt, 1)
     ON CONFLICT (id) DO UPDATE SET name = $name, listen_port = $port, definition = $definition, verifiers = $verifiers,
       signing_key = $signingKey, revision = revision + 1`,
		{
			id,
			name: instance.name,
			port: instance.listenPort,
			definition: JSON.stringify(definition),
			verifiers: JSON.stringify(verifiers),
			signingKey: Number(secrets.signingKey),
			createdAt
		}
	)
}

export function deleteInstance(database: Database, id: string) {
	database.run('DELETE FROM instance WHERE id = ?', id)
}

export function askForRestart(database: Database, id: string) {
	database.run('UPDATE instance SET restarts = restarts + 1 WHERE id = ?', id)
}

/** The old name leads to the instance from now on; a current name is never an alias. */
export function putAlias(database: Database, alias: string, instance: string) {
	database.run('INSERT OR REPLACE INTO instance_alias VALUES (?, ?)', alias, instance)
}

export function deleteAlias(database: Database, alias: string) {
	database.run('DELETE FROM instance_alias WHERE alias = ?', alias)
}

export function listParameters(database: Database): ServerParameters {
	const rows = database.all<{key: string; value: string}>('SELECT key, value FROM server_parameter ORDER BY key')
	return Object.fromEntries(rows.map(({key, value}) => [key, value]))
}

/** `null` removes the row. */
export function putParameter(database: Database, key: string, value: string | null) {
	if (value === null) database.run('DELETE FROM server_parameter WHERE key = ?', key)
	else database.run('INSERT OR REPLACE INTO server_parameter VALUES (?, ?)', key, value)
}

export function revisionOf(database: Database) {
	return database.get<{revision: number}>('SELECT revision FROM forwarding')?.revision ?? 0
}

export function countChange(database: Database) {
	database.run('UPDATE forwarding SET revision = revision + 1')
}

function aliasesOf(database: Database) {
	const rows = database.all<{alias: string; instance: string}>('SELECT alias, instance FROM instance_alias ORDER BY alias')
	const byInstance = Map.groupBy(rows, ({instance}) => instance)
	return new Map([...byInstance].map(([id, found]) => [id, found.map(({alias}) => alias)]))
}

function storedOf(record: InstanceRecord, aliases: readonly string[]): StoredInstance {
	// Written by `putInstance`.
	const verifiers = JSON.parse(record.verifiers) as Verifiers
	const {name, listen_port: listenPort} = record
	return {
		instance: {
			...definitionOf(record),
			name,
			listenPort,
			id: record.id,
			aliases,
			secrets: {users: verifiers.users.map(user => user.name), tokens: verifiers.tokens.length, signingKey: record.signing_key === 1},
			createdAt: record.created_at,
			revision: record.revision
		},
		verifiers,
		restarts: record.restarts
	}
}

function definitionOf({name, definition}: InstanceRecord) {
	const read = instanceDefinitionSchema.safeParse(JSON.parse(definition))
	if (read.success) return read.data
	const where = read.error.issues[0]?.path.join('.') ?? ''
	throw new CordonError('storage', `The stored instance ${name} cannot be read (${where}).`)
}
