/** Messages between the page and its hashing worker. Files are identified by index. */
export interface HashRequest {
	files: readonly File[]
}

export type HashAnswer =
	| {kind: 'progress'; index: number; bytes: number}
	| {kind: 'hashed'; index: number; sha256: string}
	/** The file was deleted, changed during reading, or is unreadable. */
	| {kind: 'failed'; index: number; message: string}
