/** The preload's part of hashing dropped files: a file object in, a ticket out. Kept without imports: the preload is bundled from it. */
export interface FileBridge<F> {
	readonly isFile: (value: unknown) => value is F
	/** Of the file object itself: empty for one that a page made. */
	readonly pathOf: (file: F) => string
	/** Asks the main process, which keeps the path. */
	readonly grant: (path: string) => Promise<unknown>
}

/** The page never sees the path, and has no way to name one: only a file object that a person chose leads to it. */
export async function ticketFor<F>(value: unknown, {isFile, pathOf, grant}: FileBridge<F>) {
	try {
		const path = isFile(value) ? pathOf(value) : ''
		const ticket = path === '' ? null : await grant(path)
		return typeof ticket === 'string' ? ticket : null
	} catch {
		return null
	}
}
