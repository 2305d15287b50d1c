/** Staged, unsent changes of a file list: their sources, and arguments against each. */
import {z} from 'zod'

export const listOperations = ['add', 'remove'] as const
export type ListOperation = (typeof listOperations)[number]

const textFormats = ['text', 'csv', 'stix'] as const
export type TextFormat = (typeof textFormats)[number]

/** Maximum length of a file of hashes, in UTF-16 code units: some 200,000 lines. */
const longestSource = 16_000_000

export const hashSourceSchema = z.object({
	name: z.string().trim().min(1).max(300),
	text: z.string().max(longestSource, 'is too long to be read at once: split the file'),
	/** CSV only, from 0; default: the column with the most hashes, and no note. */
	columns: z.object({hash: z.int().min(0), note: z.int().min(0).nullable()}).optional()
})
export type HashSource = z.infer<typeof hashSourceSchema>

export interface SourceColumn {
	readonly index: number
	/** Of the header; `Column 3` without one. */
	readonly title: string
	/** Cells that are SHA-256 hashes. */
	readonly hashes: number
	/** First cells. */
	readonly sample: readonly string[]
}

/** The preview of a file. */
export interface SourceReport {
	readonly format: TextFormat
	/** Distinct SHA-256 hashes. */
	readonly hashes: number
	/** Hash-like texts other than SHA-256. */
	readonly others: number
	/** Skipped parts, in words: prose, revoked or expired indicators. */
	readonly ignored: readonly string[]
	readonly columns: readonly SourceColumn[]
	readonly chosen: {hash: number; note: number | null} | null
}

const lintKinds = [
	'md5',
	'sha1',
	'not_a_hash',
	'empty_file',
	'placeholder',
	'common_content',
	'duplicate',
	'already_there',
	'not_there',
	'list_unread',
	'contradicts',
	'other_kind',
	'other_list',
	'seen_clean',
	'seen_malicious',
	'prevalent',
	'system_file',
	'long_note'
] as const
export type LintKind = (typeof lintKinds)[number]

/** `refused` can never be sent; `red` needs a reason; `amber` is a warning; `idle` needs nothing; `plain` is for completeness. */
export const lintLevels = ['refused', 'red', 'amber', 'idle', 'plain'] as const
export type LintLevel = (typeof lintLevels)[number]

/** Which rows of a draft are shown; `ready` includes those with a warning: they would be sent. */
export const draftViews = ['all', 'ready', ...lintLevels] as const
export type DraftView = (typeof draftViews)[number]

export interface LintMark {
	readonly kind: LintKind
	readonly level: LintLevel
	readonly message: string
}

export interface DraftRow {
	/** The hash in lower case; for anything else the text as given. */
	readonly key: string
	readonly sha256: string | null
	readonly operation: ListOperation
	readonly note: string
	/** Name of the file, or `typed`, and the line or object in it. */
	readonly source: string
	readonly place: string | null
	/** Number of occurrences. */
	readonly given: number
	/** Why a red row is wanted. */
	readonly reason: string | null
	readonly marks: readonly LintMark[]
	/** The worst of its marks; `ready` without a relevant one, or when a red row has its reason. */
	readonly verdict: 'ready' | LintLevel
	/** Computers that have seen the file, by the service; `null`: not queried. */
	readonly prevalence: number | null
	/** The outcome of its last sending, if not done. */
	readonly result: string | null
}

export interface DraftState {
	readonly list: {guid: string; name: string; type: string}
	readonly revision: number
	readonly rows: number
	readonly adds: number
	readonly removes: number
	/** Rows to be sent. */
	readonly ready: number
	readonly refused: number
	/** Red rows without a reason. */
	readonly red: number
	readonly amber: number
	readonly idle: number
	/** The list was fully loaded: `already_there` and `not_there` are known. */
	readonly listRead: boolean
	/** The job that last took rows from here. */
	readonly job: string | null
	/** Files of this computer's own system, hashed for comparison. */
	readonly systemFiles: {known: number; of: number | null}
}
