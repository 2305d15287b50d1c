/** Reports files replaced by another process. */
import {watch} from 'node:fs'

import {fileNames} from './files.ts'

const watched: ReadonlySet<string> = new Set([fileNames.authority, fileNames.server, fileNames.imported])

/**
 * Own changes are reported too. Where the system cannot watch a folder, only the check of every minute remains. Returns a
 * function that stops it.
 */
export function followFiles(folder: string, onChange: () => void) {
	try {
		// Files are replaced by renaming, so the folder is watched; its lock file does not count.
		const watcher = watch(folder, {persistent: false}, (_, name) => {
			if (name === null || watched.has(name)) onChange()
		})
		watcher.on('error', () => watcher.close())
		return () => watcher.close()
	} catch {
		return () => {}
	}
}
