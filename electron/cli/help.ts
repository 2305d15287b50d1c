import {findCommand} from '#shared/commands/catalogue.ts'
import {overviewText, usageText} from '#shared/commands/usage.ts'
import {version} from '#shared/version.ts'

import {shown, usage} from './faults.ts'
import type {Output} from './output.ts'
import {globalOptions, subcommands} from './subcommands.ts'
import {synopsis, type OptionSpec, type SubcommandSpec} from './subcommand-spec.ts'

export function showVersion(output: Output) {
	if (output.mode === 'text') output.print(version)
	else output.json({ok: true, command: 'version', args: {}, data: {version}, message: `Cordon ${version}`, entry: null})
	return 0
}

export function showHelp(about: readonly string[], output: Output) {
	const text = helpText(about)
	if (output.mode === 'text') output.raw(text)
	else output.json({ok: true, command: 'help', args: {about}, data: null, message: text, entry: null})
	return 0
}

function helpText(about: readonly string[]) {
	const [first] = about
	if (first === undefined) return overview()
	const command = findCommand(first)
	if (command !== undefined) return usageText(command)
	const text = about.join(' ')
	const family = subcommands.filter(({hidden, name}) => hidden !== true && `${name} `.startsWith(`${text} `))
	// Its words may stand before --help.
	const whole = ({name, words}: SubcommandSpec) => text.startsWith(`${name} `) && about.length <= name.split(' ').length + words.length
	const found = family.length > 0 ? family : subcommands.filter(whole)
	if (found.length === 0) throw usage(`There is no help on ${shown(text)}`, 'cordon help lists the commands', 'command')
	return found.map(subcommandText).join('\n')
}

function overview() {
	const visible = subcommands.filter(spec => spec.hidden !== true)
	const width = Math.max(...visible.map(spec => synopsis(spec).length))
	return `Cordon ${version}: an operator console for an endpoint-security service.

Usage:
  cordon [--profile DIR] [--connection NAME] COMMAND [--argument value …] [--json | --jsonl]

Commands of the service (cordon help COMMAND tells more):
${overviewText()}

Other commands:
${visible.map(spec => `  ${synopsis(spec).padEnd(width)}  ${spec.summary}`).join('\n')}

Options of every command:
${optionsText(globalOptions)}

Exit codes: 0 done, 1 failed, 2 not understood, 3 not found, 4 not permitted, 5 conflict,
6 rate limited, 7 approval denied, 8 approval timed out, 9 outcome unknown,
70 the log cannot be written (nothing was sent), 130 interrupted.
`
}

function subcommandText(spec: SubcommandSpec) {
	const options = Object.keys(spec.options).length === 0 ? '' : `\nOptions:\n${optionsText(spec.options)}\n`
	return `${spec.summary}\n\nUsage:\n  cordon ${synopsis(spec)}\n${options}`
}

function optionsText(options: Readonly<Record<string, OptionSpec>>) {
	const entries = Object.entries(options)
	const heads = entries.map(([name, option]) => `--${name}${option.value === undefined ? '' : ` ${option.value}`}`)
	const width = Math.max(...heads.map(head => head.length))
	return entries
		.map(
			([, option], index) =>
				`  ${(heads[index] ?? '').padEnd(width)}  ${option.summary}${option.choices === undefined ? '' : ` One of ${option.choices.join(', ')}.`}`
		)
		.join('\n')
}
