import {open, rename, rm} from 'node:fs/promises'
import {dirname} from 'node:path'

/** Replaces the whole file; after a crash either the old or the new one exists. */
export async function writePrivate(path: string, content: string) {
	const draft = `${path}.${process.pid}.new`
	await rm(draft, {force: true})
	try {
		await writeFlushed(draft, content)
		await rename(draft, path)
	} finally {
		await rm(draft, {force: true})
	}
	await flushFolder(dirname(path))
}

async function writeFlushed(path: string, content: string) {
	const file = await open(path, 'wx', 0o600)
	try {
		await file.writeFile(content)
		await file.sync()
	} finally {
		await file.close()
	}
}

/** Makes a new name survive a power cut. Windows cannot open a folder for that. */
export async function flushFolder(folder: string) {
	if (process.platform === 'win32') return
	const handle = await open(folder, 'r')
	try {
		await handle.sync()
	} finally {
		await handle.close()
	}
}
