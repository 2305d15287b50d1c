import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

import {onTestFinished} from 'vitest'

import type {World} from '#core/store/testing/world.ts'
import {openIncidentLog, type LocalLog} from '../log.ts'
import type {NewEntry} from '../types.ts'

/** Stopped when the test is over, if it was not before. */
export function logOf({folder, clock, random}: World, operator = 'ada'): LocalLog {
	const log = openIncidentLog({path: join(folder, 'incidents.db'), clock, random, operator})
	onTestFinished(log.stop)
	return log
}

/** The file as another program has it open; closed when the test is over, if it was not before. */
export function rawFile({folder}: World, name = 'incidents.db') {
	const database = new DatabaseSync(join(folder, name))
	onTestFinished(() => (database.isOpen ? database.close() : undefined))
	return database
}

export const noteOf = (message: string, more: Partial<NewEntry> = {}): NewEntry => ({kind: 'note', surface: 'screen', message, ...more})

export const acme = {id: 'c1', name: 'Acme', url: 'https://api.example.test'}
export const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'

export function isolate(change: Partial<NewEntry> = {}): NewEntry {
	return {
		...{kind: 'command.requested', surface: 'screen', command: 'svc_put_computers_isolation', connection: acme},
		args: {connector_guid: guid, comment: 'beaconing'},
		target: {guid, label: 'FIN-Laptop-7'},
		message: 'Isolate a computer: FIN-Laptop-7.',
		...change
	}
}
