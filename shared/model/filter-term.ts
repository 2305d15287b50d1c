import type {IsolationGlance} from './glance.ts'

/** Fields of the filter. `any` is a bare word: name, address, MAC, GUID or group. */
export const filterFields = [
	'any',
	'name',
	'group',
	'policy',
	'os',
	'connector',
	'ip',
	'external_ip',
	'mac',
	'guid',
	'isolation',
	'state_since',
	'compromised',
	'last_seen',
	'installed',
	'duplicate',
	'duplicate_mac',
	'active',
	'vanished',
	'tag',
	'role',
	'guess',
	'odd'
] as const
export type FilterField = (typeof filterFields)[number]

/** `:` contains (or is, for states and booleans), `=` is exactly; the others compare times and connector versions. */
const filterOperators = [':', '=', '<', '<=', '>', '>='] as const
export type FilterOperator = (typeof filterOperators)[number]

/** One value of a term; several values are alternatives. */
export type FilterValue =
	/** Literal pieces between `*` wildcards; one piece means no wildcard. */
	| {kind: 'text'; parts: readonly string[]}
	/** IPv4 addresses as integers, inclusive; `text` as typed. */
	| {kind: 'addresses'; from: number; to: number; text: string}
	| {kind: 'states'; states: readonly IsolationGlance[]; text: string}
	| {kind: 'flag'; value: boolean}
	| {kind: 'age'; ms: number; text: string}
	/** A time span in Unix milliseconds, `to` exclusive: a whole day for a date, one second or minute for a time. */
	| {kind: 'moment'; from: number; to: number; text: string}
	| {kind: 'empty'}

/** One condition; all terms of a filter must hold. */
export interface Term<F, V> {
	readonly field: F
	readonly negated: boolean
	readonly operator: FilterOperator
	readonly values: readonly V[]
	/** Position in the typed text; `end` is exclusive. */
	readonly start: number
	readonly end: number
}

export type FilterTerm = Term<FilterField, FilterValue>

/** An invalid part of the typed text; `message` is a sentence with the most similar suggestion. */
export interface FilterProblem {
	readonly start: number
	readonly end: number
	readonly message: string
}

export interface ParsedFilter {
	readonly terms: readonly FilterTerm[]
	readonly problems: readonly FilterProblem[]
}
