/** A file that is made here and saved by the page or the command line. */
export interface TextFile {
	readonly name: string
	readonly mediaType: string
	readonly text: string
}
