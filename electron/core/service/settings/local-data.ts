/** How much of what lies in the profile's folder. */
import {readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'

import type {LocalData} from '#contract/local.ts'
import {CordonError} from '#contract/errors.ts'

import {databaseFiles} from '#core/store/database-files.ts'
import type {CopyKind} from '#model/choices.ts'

interface LocalDataDependencies {
	/** The profile's folder. */
	profile: string
	connections: readonly {id: string; name: string}[]
	/** Each has a folder with a file for each connection; `records` where that is known without opening it. */
	replicas: readonly {kind: CopyKind; folder: string; records(connection: string): number | null}[]
	/** Entries of the incident log. */
	entries: number
}

export async function readLocalData(deps: LocalDataDependencies): Promise<LocalData> {
	const {profile, replicas} = deps
	const connections = await Promise.all(
		deps.connections.map(async ({id, name}) => ({
			id,
			name,
			copies: await Promise.all(
				replicas.map(async replica => ({
					kind: replica.kind,
					bytes: await databaseSize(join(profile, replica.folder, `${id}.db`)),
					records: replica.records(id)
				}))
			)
		}))
	)
	const copies = connections.flatMap(({copies: all}) => all).reduce((sum, {bytes}) => sum + bytes, 0)
	const [own, log, search, all] = await Promise.all([
		databaseSize(join(profile, 'profile.db')),
		databaseSize(join(profile, 'incidents.db')),
		databaseSize(join(profile, 'incidents-search.db')),
		folderSize(profile)
	])
	return {
		folder: profile,
		connections,
		files: [
			{kind: 'log', bytes: log + search, records: deps.entries},
			{kind: 'profile', bytes: own, records: null},
			{kind: 'other', bytes: Math.max(0, all - own - log - search - copies), records: null}
		]
	}
}

/** Throws `confirmation_needed` unless the connection's name was typed. */
export function confirmWipe(name: string, typed: string) {
	if (typed.trim() === name) return
	throw new CordonError('confirmation_needed', `Local data of ${name} would be deleted. Type ${name} to confirm.`, {field: name})
}

async function databaseSize(path: string) {
	const sizes = await Promise.all(databaseFiles(path).map(fileSize))
	return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** A file that comes or goes meanwhile counts as nothing. */
async function fileSize(path: string) {
	try {
		const {size} = await stat(path)
		return size
	} catch {
		return 0
	}
}

async function folderSize(path: string) {
	const entries = await readdir(path, {withFileTypes: true, recursive: true}).catch(() => [])
	const files = entries.filter(entry => entry.isFile())
	const sizes = await Promise.all(files.map(file => fileSize(join(file.parentPath, file.name))))
	return sizes.reduce((sum, bytes) => sum + bytes, 0)
}
