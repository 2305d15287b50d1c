/** A generated file, saved by the page or the command line. */
export interface TextFile {
	readonly name: string
	readonly text: string
}

/** A file whose text comes in pieces; what it is is told after the last. */
export type FileStream<Told> = AsyncIteratorObject<string, Omit<TextFile, 'text'> & Told>

/** `cut`: there was more than one file takes. */
export type CutStream = FileStream<{cut: boolean}>
