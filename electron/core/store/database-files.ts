import {rmSync} from 'node:fs'

/** A database is three files while it is open, and after a crash. */
export function databaseFiles(path: string): readonly string[] {
	return ['', '-wal', '-shm'].map(end => `${path}${end}`)
}

export function removeDatabase(path: string): void {
	for (const file of databaseFiles(path)) rmSync(file, {force: true})
}
