/** Options of a surface besides arguments: read to the end, wait for a state, reveal a code. */
import {leaseText} from '../text/isolation.ts'

import {CordonError} from '../contract/errors.ts'
import {leaseHoursOf, longestLeaseHours} from '../model/lease.ts'
import type {CommandSpec, OptionName} from './define.ts'
import {checkValue} from './values.ts'

/** Seconds of `wait` without a number. */
const defaultWait = 600
const longestWait = 86_400

export interface RunOptions {
	all?: boolean
	/** Seconds. */
	wait?: number
	reveal?: boolean
	reason?: string
	ticket?: string
	/** The typed confirmation of a change. */
	confirm?: string
	/** Who makes the unlock code of an isolation. */
	code?: CodeMaker
	/** Hours; `null`: until released. Default: the guard rules' proposal. */
	lease?: number | null
	/** Cordon releases the computer at the lease's expiry, while it runs. */
	autoRelease?: boolean
}

/** `generated`: a random one, stored encrypted before it is sent; `service`: none is sent, and the service makes one. */
type CodeMaker = (typeof codeMakers)[number]
export const codeMakers = ['generated', 'service'] as const

/** `null`: an option without a value. */
type RawOptions = ReadonlyMap<OptionName, string | null>

export interface OptionProblem {
	readonly option: OptionName
	readonly message: string
	readonly fix: string
}

export const optionSummaries: Readonly<Record<OptionName, string>> = {
	all: 'Walk all pages to the end; on screen, up to 10,000 records.',
	wait: `Wait for the state, for so many seconds at most (${defaultWait} without a number).`,
	reveal: 'Show the unlock code once; needs a reason.',
	reason: 'Why; it is written to the incident log, and sent along where the service takes a comment.',
	ticket: 'Number of the ticket that it belongs to; it goes with the reason.',
	confirm: 'The host name, or the number of targets, typed where the guard rules ask for it.',
	code: 'Source of the unlock code: here (random, stored encrypted before it is sent) or the service (default: the service).',
	lease:
		'Time until the isolation expires, such as 4h, 24h or 7d; none: no expiry (default: the lease of the guard rules). For stored connections only.',
	'auto-release': leaseText.autoRelease
}

type Reading = {options: RunOptions} | {problem: OptionProblem}

export function readOptions(
	spec: Pick<CommandSpec, 'name' | 'options'>,
	raw: RawOptions,
	given: ReadonlySet<string>
): {options: RunOptions; problems: readonly OptionProblem[]} {
	const readings = [...raw].map(([option, value]) => readOption(spec, option, value))
	const options: RunOptions = Object.assign({}, ...readings.map(reading => ('options' in reading ? reading.options : {})))
	const problems = readings.flatMap(reading => ('problem' in reading ? [reading.problem] : []))
	return {options, problems: problems.length > 0 ? problems : contradictions(spec, options, given)}
}

export function optionError({option, message, fix}: OptionProblem): CordonError {
	return new CordonError('usage', `${message}: ${fix}.`, {field: option, fix})
}

function readOption(spec: Pick<CommandSpec, 'name' | 'options'>, option: OptionName, value: string | null) {
	if (!spec.options.includes(option)) return problem(option, `${spec.name} has no option ${option}`, optionsOf(spec))
	if (option === 'wait') return readWait(value)
	if (option === 'reason' || option === 'ticket' || option === 'confirm') return readText(option, value)
	if (option === 'code') return readMaker(value)
	if (option === 'lease') return readLease(value)
	return readSwitch(option, value)
}

function readMaker(value: string | null): Reading {
	const code = codeMakers.find(maker => maker === value?.toLowerCase())
	return code === undefined
		? problem('code', `code cannot be ${value ?? 'empty'}`, `use one of ${codeMakers.join(', ')}; a code of your own is unlock_code`)
		: {options: {code}}
}

function readLease(value: string | null): Reading {
	const lease = leaseHoursOf(value ?? '')
	return lease === undefined
		? problem(
				'lease',
				`lease cannot be ${value ?? 'empty'}`,
				`give hours or days, such as 24h or 7d, ${longestLeaseHours} hours at most, or none`
			)
		: {options: {lease}}
}

function readWait(value: string | null): Reading {
	if (value === null) return {options: {wait: defaultWait}}
	const checked = checkValue(value, {kind: 'integer', summary: '', required: false, many: 'no', min: 1, max: longestWait})
	return 'value' in checked ? {options: {wait: Number(checked.value)}} : problem('wait', `wait ${checked.problem}`, `${checked.fix}: seconds`)
}

const textFixes = {reason: 'say why, in a few words', ticket: 'give its number', confirm: 'type what is asked for'} as const

function readText(option: keyof typeof textFixes, value: string | null): Reading {
	const text = value?.trim() ?? ''
	return text === '' ? problem(option, `${option} is empty`, textFixes[option]) : {options: {[option]: text}}
}

const switches = {all: 'all', reveal: 'reveal', 'auto-release': 'autoRelease'} as const

function readSwitch(option: keyof typeof switches, value: string | null): Reading {
	const on = switchOf(value ?? 'true')
	if (on === undefined) return problem(option, `${option} is either on or off`, `leave the value out, or write true or false`)
	return {options: on ? {[switches[option]]: true} : {}}
}

/** `undefined`: neither on nor off. */
export function switchOf(text: string): boolean | undefined {
	const at = ['true', 'yes', '1', 'false', 'no', '0'].indexOf(text.toLowerCase())
	return at < 0 ? undefined : at < 3
}

function contradictions(spec: Pick<CommandSpec, 'options'>, options: RunOptions, given: ReadonlySet<string>): readonly OptionProblem[] {
	if (options.reveal === true && options.reason === undefined)
		return [{option: 'reveal', message: 'Revealing an unlock code needs a reason', fix: 'give reason="…"'}]
	if (options.reason !== undefined && given.has('comment'))
		return [{option: 'reason', message: 'The comment is the reason', fix: 'give one of them'}]
	if (options.reason !== undefined && options.reveal !== true && spec.options.includes('reveal'))
		return [{option: 'reason', message: 'A reason belongs to reveal', fix: 'give reveal too, or leave the reason out'}]
	if (options.all === true && given.has('limit'))
		return [{option: 'all', message: 'limit and all cannot be given together', fix: 'give one of them'}]
	if (options.code === 'generated' && given.has('unlock_code'))
		return [{option: 'code', message: 'unlock_code is a code of your own', fix: 'give one of them'}]
	if (options.autoRelease === true && options.lease === null)
		return [{option: 'auto-release', message: 'auto-release needs a lease that ends', fix: 'give lease=24h'}]
	if (options.wait !== undefined && !given.has('status'))
		return [{option: 'wait', message: 'There is no state to wait for', fix: 'give status=isolated'}]
	return []
}

function optionsOf(spec: Pick<CommandSpec, 'options'>) {
	return spec.options.length === 0 ? 'it takes none' : `it takes ${spec.options.join(', ')}`
}

function problem(option: OptionName, message: string, fix: string): Reading {
	return {problem: {option, message, fix}}
}
