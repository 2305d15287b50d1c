export type ExportFormat = 'csv' | 'jsonl'

/** Facts about one file from stored events. */
export interface SeenFile {
	readonly computers: number
	readonly names: readonly string[]
	readonly dispositions: readonly string[]
}
