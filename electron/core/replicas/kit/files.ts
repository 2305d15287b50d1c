/** Local copies in the profile: a folder for each kind, with one file per connection. */
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'

import {removeDatabase} from '#core/store/database-files.ts'
import {type CopyKind, copyKinds} from '#model/choices.ts'

export function folderOf(kind: CopyKind): string {
	return kind === 'computers' ? 'inventory' : kind
}

export function copyPath(profile: string, kind: CopyKind, connection: string) {
	return join(profile, folderOf(kind), `${connection}.db`)
}

/** The connections that have a copy. */
export function copiedIn(profile: string, kind: CopyKind): readonly string[] {
	const folder = join(profile, folderOf(kind))
	return existsSync(folder) ? readdirSync(folder).flatMap(name => /^(.+)\.db$/.exec(name)?.[1] ?? []) : []
}

/** For a process that has none of them open. */
export function removeCopies(profile: string, connection: string) {
	for (const kind of copyKinds)
		try {
			removeDatabase(copyPath(profile, kind, connection))
		} catch {
			// Open in a console, which forgets it.
		}
}
