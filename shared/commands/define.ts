/**
 * A command is a declaration. Command line, in-app line, palette, forms, help, completion and reference are derived from it;
 * `electron/core/actions/commands/` has one handler for each name.
 */

import type {GuardedAction} from '../model/guard.ts'

/** The format of a value. The checks are in `arguments.ts`. */
export type ArgKind = 'guid' | 'sha256' | 'ipv4' | 'integer' | 'text' | 'date_time' | 'choice' | 'unlock_code'

export type CompletionSource = 'computer' | 'hostname' | 'group' | 'policy' | 'file_list' | 'event_type' | 'tag'

export interface ArgSpec {
	readonly kind: ArgKind
	readonly summary: string
	readonly required: boolean
	/** Several values: `comma` accepts repetition or commas, `repeat` only repetition. */
	readonly many: 'no' | 'comma' | 'repeat'
	readonly choices?: readonly string[]
	/** Bounds of an integer, inclusive. */
	readonly min?: number
	readonly max?: number
	readonly complete?: CompletionSource
	/** Never shown, logged or echoed. */
	readonly secret?: true
}

/** Options of a surface besides the service's arguments. */
export type OptionName = 'all' | 'wait' | 'reveal' | 'reason' | 'ticket' | 'confirm' | 'code' | 'lease' | 'auto-release'

export type Risk = 'read' | 'change' | 'isolate' | 'release'

/**
 * One table column of a result: `path` walks into a record, separated by `.`; in a list, over each element. Where it leads
 * nowhere, `or` does.
 */
export type ResultColumn = readonly [title: string, path: string, or?: string]

export interface ResultSpec {
	/** `list`: many records and a total; `record`: one object; `state`: an isolation state; `none`: only success. */
	readonly kind: 'list' | 'record' | 'state' | 'none'
	/** The noun for a record, singular and plural. */
	readonly noun: readonly [string, string]
	readonly columns: readonly ResultColumn[]
}

/** A rule between arguments. */
export interface ArgRule {
	readonly kind: 'at_least_one' | 'not_together'
	readonly of: readonly string[]
}

/** How the guards judge a change before it is logged and sent. */
interface GuardSpec {
	action: GuardedAction
	/** The argument with the target. */
	of: string
}

export interface CommandSpec {
	readonly name: string
	readonly aliases: readonly string[]
	readonly title: string
	readonly summary: string
	/** Longer help texts on surprising behaviour. */
	readonly notes: readonly string[]
	readonly risk: Risk
	/** For changes only. */
	readonly guard?: GuardSpec
	/** For help and reference: the command's request. */
	readonly request: string
	readonly args: Readonly<Record<string, ArgSpec>>
	readonly rules: readonly ArgRule[]
	/** The argument allowed without its name. */
	readonly positional: string | null
	readonly options: readonly OptionName[]
	/** A `limit` above the service's page size reads several pages. */
	readonly paged: boolean
	readonly result: ResultSpec
	/** In the syntax of the in-app line, without the leading `!`. */
	readonly examples: readonly string[]
}

type Given<S extends ArgSpec> = S['many'] extends 'no' ? (S['kind'] extends 'integer' ? number : string) : readonly string[]

type Optional<A extends Readonly<Record<string, ArgSpec>>> = {
	readonly [K in keyof A as A[K]['required'] extends true ? never : K]?: Given<A[K]>
}
type Required_<A extends Readonly<Record<string, ArgSpec>>> = {
	readonly [K in keyof A as A[K]['required'] extends true ? K : never]: Given<A[K]>
}

/** The checked arguments of a command, for its handler. */
export type ArgsOf<S extends {args: Readonly<Record<string, ArgSpec>>}> = Optional<S['args']> & Required_<S['args']>

type Draft<A extends Readonly<Record<string, ArgSpec>>> = Omit<
	CommandSpec,
	'args' | 'aliases' | 'notes' | 'options' | 'paged' | 'positional' | 'rules'
> & {
	args: A
	aliases?: readonly string[]
	notes?: readonly string[]
	options?: readonly OptionName[]
	paged?: boolean
	positional?: string | null
	rules?: readonly ArgRule[]
}

const pagedOptions = ['all'] as const
const agreementOptions = ['reason', 'ticket', 'confirm'] as const
const isolationOptions = [...agreementOptions, 'code', 'lease', 'auto-release'] as const

/** Declares a command; omitted fields are empty. */
export function defineCommand<const N extends string, const A extends Readonly<Record<string, ArgSpec>>>(
	draft: Draft<A> & {name: N}
): Omit<CommandSpec, 'name' | 'args'> & {name: N; args: A} {
	// A change may need a reason and a typed confirmation.
	const options =
		draft.paged === true ? pagedOptions : draft.risk === 'read' ? [] : draft.risk === 'isolate' ? isolationOptions : agreementOptions
	return {aliases: [], notes: [], options, paged: false, positional: null, rules: [], ...draft}
}
