/** Changes of a file list that are staged and not sent yet: where they come from, and what speaks against each. */
import {z} from 'zod'

export const listOperations = ['add', 'remove'] as const
export type ListOperation = (typeof listOperations)[number]

export const textFormats = ['text', 'csv', 'stix'] as const
export type TextFormat = (typeof textFormats)[number]

/** Longest file of hashes that is read at once, in UTF-16 code units: some 200,000 lines. */
export const longestSource = 16_000_000

/** What a file of hashes is called and holds. */
export const hashSourceSchema = z.object({
	name: z.string().trim().min(1).max(300),
	text: z.string().max(longestSource, 'is too long to be read at once: split the file'),
	/** CSV only, counted from 0; without it the column with the most hashes, and no note. */
	columns: z.object({hash: z.int().min(0), note: z.int().min(0).nullable()}).optional(),
})
export type HashSource = z.infer<typeof hashSourceSchema>

export interface SourceColumn {
	readonly index: number
	/** Of the header; `Column 3` without one. */
	readonly title: string
	/** Cells that are SHA-256 hashes. */
	readonly hashes: number
	/** Its first cells. */
	readonly sample: readonly string[]
}

/** What a file would bring. */
export interface SourceReport {
	readonly format: TextFormat
	/** SHA-256 hashes, repeated ones counted once. */
	readonly hashes: number
	/** What looks like a hash but is none of SHA-256. */
	readonly others: number
	/** What was passed over, in words: prose, revoked or expired indicators. */
	readonly ignored: readonly string[]
	readonly columns: readonly SourceColumn[]
	readonly chosen: {readonly hash: number; readonly note: number | null} | null
}

export const lintKinds = [
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
	'long_note',
] as const
export type LintKind = (typeof lintKinds)[number]

/**
 * `refused` can never be sent; `red` needs a reason; `amber` is a warning; `idle` needs nothing; `plain` is for completeness.
 */
export const lintLevels = ['refused', 'red', 'amber', 'idle', 'plain'] as const
export type LintLevel = (typeof lintLevels)[number]

/** Which rows of a draft are shown; `ready` has those that are worth a look, too: they would be sent. */
export const draftViews = ['all', 'ready', ...lintLevels] as const
export type DraftView = (typeof draftViews)[number]

export interface LintMark {
	readonly kind: LintKind
	readonly level: LintLevel
	readonly message: string
}

export interface DraftRow {
	/** The hash in lower case; for what is no SHA-256 the text as it was given. */
	readonly key: string
	readonly sha256: string | null
	readonly operation: ListOperation
	readonly note: string
	/** Name of the file, or `typed`, and the line or object in it. */
	readonly source: string
	readonly place: string | null
	/** How often it was given. */
	readonly given: number
	/** Why a red row is wanted anyway. */
	readonly reason: string | null
	readonly marks: readonly LintMark[]
	/** The worst of its marks; `ready` without one that matters, or when a red row has its reason. */
	readonly verdict: 'ready' | LintLevel
	/** Computers that the service says saw the file; `null`: not asked. */
	readonly prevalence: number | null
	/** Its outcome when it was last sent, where it was not done. */
	readonly result: string | null
}

export interface DraftState {
	readonly list: {readonly guid: string; readonly name: string; readonly type: string}
	readonly revision: number
	readonly rows: number
	readonly adds: number
	readonly removes: number
	/** Rows that would be sent. */
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
	/** Files of this computer's own system that were hashed for comparing. */
	readonly systemFiles: {readonly known: number; readonly of: number | null}
}
