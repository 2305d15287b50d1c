import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

const folders: string[] = []
process.once('exit', () => {
	for (const folder of folders) rmSync(folder, {recursive: true, force: true})
})

/** A new folder, removed at the process's exit. */
export function benchFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-bench-'))
	folders.push(folder)
	return folder
}
