export type ExportFormat = 'csv' | 'jsonl'

export interface EventExport {
	readonly text: string
	/** Whether the export omits rows. */
	readonly cut: boolean
}

/** Facts about one file from stored events. */
export interface SeenFile {
	readonly computers: number
	readonly names: readonly string[]
	readonly dispositions: readonly string[]
}
