import {rmSync} from 'node:fs'

/** An open or crashed database consists of three files. */
export function databaseFiles(path: string): readonly string[] {
	return ['', '-wal', '-shm'].map(end => `${path}${end}`)
}

export function removeDatabase(path: string) {
	for (const file of databaseFiles(path)) rmSync(file, {force: true})
}
