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

export type SourceColumn = Readonly<{
	index: number
	/** Of the header; `Column 3` without one. */
	title: string
	/** Cells that are SHA-256 hashes. */
	hashes: number
	/** First cells. */
	sample: readonly string[]
}>

/** The preview of a file. */
export type SourceReport = Readonly<{
	format: TextFormat
	/** Distinct SHA-256 hashes. */
	hashes: number
	/** Hash-like texts other than SHA-256. */
	others: number
	/** Skipped parts, in words: prose, revoked or expired indicators. */
	ignored: readonly string[]
	columns: readonly SourceColumn[]
	chosen: {hash: number; note: number | null} | null
}>

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

export type DraftRow = Readonly<{
	/** The hash in lower case; for anything else the text as given. */
	key: string
	sha256: string | null
	operation: ListOperation
	note: string
	/** Name of the file, or `typed`, and the line or object in it. */
	source: string
	place: string | null
	/** Number of occurrences. */
	given: number
	/** Why a red row is wanted. */
	reason: string | null
	marks: readonly LintMark[]
	/** The worst of its marks; `ready` without a relevant one, or when a red row has its reason. */
	verdict: 'ready' | LintLevel
	/** Computers that have seen the file, by the service; `null`: not queried. */
	prevalence: number | null
	/** The outcome of its last sending, if not done. */
	result: string | null
}>

export type DraftState = Readonly<{
	list: {guid: string; name: string; type: string}
	revision: number
	rows: number
	adds: number
	removes: number
	/** Rows to be sent. */
	ready: number
	refused: number
	/** Red rows without a reason. */
	red: number
	amber: number
	idle: number
	/** The list was fully loaded: `already_there` and `not_there` are known. */
	listRead: boolean
	/** The job that last took rows from here. */
	job: string | null
	/** Files of this computer's own system, hashed for comparison. */
	systemFiles: {known: number; of: number | null}
}>
