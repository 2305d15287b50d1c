/** Messages between the page and its hashing worker. Files are identified by index. */
export interface HashRequest {
	readonly files: readonly File[]
}

export type HashAnswer =
	| {readonly kind: 'progress'; readonly index: number; readonly bytes: number}
	| {readonly kind: 'hashed'; readonly index: number; readonly sha256: string}
	/** The file was deleted, changed during reading, or is unreadable. */
	| {readonly kind: 'failed'; readonly index: number; readonly message: string}
