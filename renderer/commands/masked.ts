import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import {formatLine} from '#shared/commands/parse.ts'
import {maskedCode} from '#shared/commands/result.ts'
import type {RunOptions} from '#shared/commands/options.ts'

/** The line to show: secrets are masked. */
export function shownLine(spec: CommandSpec, args: RawArgs, options: RunOptions = {}) {
	return formatLine(
		spec.name,
		mapSecrets(spec, args, () => [maskedCode]),
		options
	)
}

/** The line to store: secrets are omitted. */
export function keptLine(spec: CommandSpec, args: RawArgs, options: RunOptions = {}) {
	return formatLine(
		spec.name,
		mapSecrets(spec, args, () => []),
		options
	)
}

function mapSecrets(spec: CommandSpec, args: RawArgs, secret: () => readonly string[]): RawArgs {
	const entries = Object.entries(args).map(([name, given]) => [name, spec.args[name]?.secret === true ? secret() : given] as const)
	return Object.fromEntries(entries.filter(([, given]) => given.length > 0 || typeof given === 'string'))
}
