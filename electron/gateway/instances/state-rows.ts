/** Recorded by the running console for other processes on the profile and for its successor. */
import type {HealthChange, InstanceRow, ListStatus} from '#contract/instances.ts'
import type {InstanceHealth} from '#model/instance.ts'

import type {Database} from '#core/store/database.ts'
import {isAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'
import {dropOlder} from './kept-rows.ts'
import {countChange} from './rows.ts'
import type {ServerState} from './types.ts'

export interface InstanceFacts {
	health: InstanceHealth
	traffic: InstanceRow['traffic']
	/** Whether it was found listening beyond loopback. */
	isOpen: boolean | null
	/** The setting at its start: after a change, the other facts are of the earlier one. Missing in older versions. */
	openPort?: boolean | null
	/** Missing in older versions. */
	list?: ListStatus | null
}

/** The forwarding server of a console; `undefined` without one. */
export function runningServer(database: Database) {
	const row = database.get<{server: string | null; pid: number | null; started: string}>('SELECT server, pid, started FROM forwarding')
	if (row === undefined || row.server === null || row.pid === null) return undefined
	// Written by `putServer`.
	return isAlive({pid: row.pid, started: row.started}) ? (JSON.parse(row.server) as ServerState) : undefined
}

/** `undefined` when this process stops. A row written by another console stays. */
export function putServer(database: Database, server: ServerState | undefined) {
	const {pid, started} = ownIdentity()
	if (server === undefined) database.run('UPDATE forwarding SET server = NULL WHERE pid = ? AND started = ?', pid, started)
	else database.run('UPDATE forwarding SET server = ?, pid = ?, started = ?', JSON.stringify(server), pid, started)
}

export function factsOf(database: Database, instance: string) {
	const row = database.get<{facts: string}>('SELECT facts FROM instance_state WHERE instance = ?', instance)
	// Written by `putFacts`.
	return row && (JSON.parse(row.facts) as InstanceFacts)
}

/** A removed instance has no facts. */
export function putFacts(database: Database, instance: string, facts: InstanceFacts) {
	database.run(
		`INSERT INTO instance_state SELECT $instance, $facts WHERE EXISTS (SELECT 1 FROM instance WHERE id = $instance)
     ON CONFLICT (instance) DO UPDATE SET facts = excluded.facts`,
		{instance, facts: JSON.stringify(facts)}
	)
}

/** Oldest first. */
export function historyOf(database: Database, instance: string): readonly HealthChange[] {
	return database.all<HealthChange>('SELECT at, state, reason FROM instance_history WHERE instance = ? ORDER BY number', instance)
}

export function addHistory(database: Database, instance: string, change: HealthChange) {
	database.transaction(() => {
		database.run(
			`INSERT INTO instance_history (instance, at, state, reason)
       SELECT $instance, $at, $state, $reason WHERE EXISTS (SELECT 1 FROM instance WHERE id = $instance)`,
			{instance, at: change.at, state: change.state, reason: change.reason}
		)
		dropOlder(database, 'instance_history', instance)
	})
}

/** Requests the running console to publish the held list. */
export function askToPublish(database: Database, instance: string) {
	database.transaction(() => {
		database.run('INSERT OR IGNORE INTO instance_publish VALUES (?)', instance)
		countChange(database)
	})
}

/** Requests since the last call. */
export function takePublishing(database: Database): readonly string[] {
	const asked = database.all<{instance: string}>('SELECT instance FROM instance_publish')
	if (asked.length > 0) database.run('DELETE FROM instance_publish')
	return asked.map(({instance}) => instance)
}

export function listProcesses(database: Database): readonly (ProcessIdentity & {instance: string})[] {
	return database.all('SELECT instance, pid, started FROM instance_process')
}

/** `undefined`: it ended. */
export function putProcess(database: Database, instance: string, identity: ProcessIdentity | undefined) {
	if (identity === undefined) database.run('DELETE FROM instance_process WHERE instance = ?', instance)
	else database.run('INSERT OR REPLACE INTO instance_process VALUES (?, ?, ?)', instance, identity.pid, identity.started)
}
