/** A generated file, saved by the page or the command line. */
export interface TextFile {
	readonly name: string
	readonly mediaType: string
	readonly text: string
}
