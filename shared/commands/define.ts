/**
 * A command is a declaration. Command line, in-app line, palette, forms, help, completion and reference
 * are derived from it; `electron/core/actions/commands/` holds one handler for each name.
 */

import type {GuardedAction} from '../model/guard.ts'

/** What a value must look like. The checks themselves are in `arguments.ts`. */
export type ArgKind = 'guid' | 'sha256' | 'ipv4' | 'integer' | 'text' | 'date_time' | 'choice' | 'unlock_code'

/** Where completion finds values. */
export type CompletionSource = 'computer' | 'hostname' | 'group' | 'policy' | 'file_list' | 'event_type' | 'tag'

export interface ArgSpec {
	readonly kind: ArgKind
	readonly summary: string
	readonly required: boolean
	/** Several values: `comma` takes them repeated or separated by commas, `repeat` by repetition only. */
	readonly many: 'no' | 'comma' | 'repeat'
	readonly choices?: readonly string[]
	/** Bounds of an integer, inclusive. */
	readonly min?: number
	readonly max?: number
	readonly complete?: CompletionSource
	/** Never shown, logged or echoed. */
	readonly secret?: true
}

/** What a surface may ask for beside the arguments of the service. */
export type OptionName = 'all' | 'wait' | 'reveal' | 'reason' | 'ticket' | 'confirm' | 'code' | 'lease' | 'auto-release'

export type Risk = 'read' | 'change' | 'isolate' | 'release'

/** One column of the table form of a result: `path` walks into a record, `.`-separated; into a list, over each of it. */
export interface ResultColumn {
	readonly title: string
	readonly path: string
	/** Where there is nothing. */
	readonly or?: string
}

export interface ResultSpec {
	/** `list`: many records and a total; `record`: one object; `state`: an isolation state; `none`: nothing but success. */
	readonly kind: 'list' | 'record' | 'state' | 'none'
	/** What one record is called, singular and plural. */
	readonly noun: readonly [string, string]
	readonly columns: readonly ResultColumn[]
}

/** What holds between arguments, beyond each by itself. */
export interface ArgRule {
	readonly kind: 'at_least_one' | 'not_together'
	readonly of: readonly string[]
}

/** What the guards judge of a change before it is logged and sent. */
export interface GuardSpec {
	readonly action: GuardedAction
	/** The argument that names the target. */
	readonly of: string
}

export interface CommandSpec {
	readonly name: string
	readonly aliases: readonly string[]
	readonly title: string
	readonly summary: string
	/** Longer text for help: what surprises people. */
	readonly notes: readonly string[]
	readonly risk: Risk
	/** Each change has one; a reading has none. */
	readonly guard?: GuardSpec
	/** For help and reference: the request that the command stands for. */
	readonly request: string
	readonly args: Readonly<Record<string, ArgSpec>>
	readonly rules: readonly ArgRule[]
	/** The argument that may be given without its name. */
	readonly positional: string | null
	readonly options: readonly OptionName[]
	/** `limit` above the service's page size is served by walking pages. */
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

/** The checked arguments of a command, as its handler receives them. */
export type ArgsOf<S extends {readonly args: Readonly<Record<string, ArgSpec>>}> = Optional<S['args']> & Required_<S['args']>

type Draft<A extends Readonly<Record<string, ArgSpec>>> = Omit<
	CommandSpec,
	'args' | 'aliases' | 'notes' | 'options' | 'paged' | 'positional' | 'rules'
> & {
	readonly args: A
	readonly aliases?: readonly string[]
	readonly notes?: readonly string[]
	readonly options?: readonly OptionName[]
	readonly paged?: boolean
	readonly positional?: string | null
	readonly rules?: readonly ArgRule[]
}

const agreementOptions = ['reason', 'ticket', 'confirm'] as const
const isolationOptions = [...agreementOptions, 'code', 'lease', 'auto-release'] as const

/** Declares a command; what is left out is empty. */
export function defineCommand<const N extends string, const A extends Readonly<Record<string, ArgSpec>>>(
	draft: Draft<A> & {readonly name: N},
): Omit<CommandSpec, 'name' | 'args'> & {readonly name: N; readonly args: A} {
	// Whoever changes something may have to say why, and to type what it is about.
	const options = draft.risk === 'read' ? [] : draft.risk === 'isolate' ? isolationOptions : agreementOptions
	return {aliases: [], notes: [], options, paged: false, positional: null, rules: [], ...draft}
}
