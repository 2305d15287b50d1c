/** What the page and its hashing worker say to each other. Files are told apart by their place in the list. */
export interface HashRequest {
	readonly files: readonly File[]
}

export type HashAnswer =
	| {readonly kind: 'progress'; readonly index: number; readonly bytes: number}
	| {readonly kind: 'hashed'; readonly index: number; readonly sha256: string}
	/** The file went away or changed while it was read, or may not be read. */
	| {readonly kind: 'failed'; readonly index: number; readonly message: string}
