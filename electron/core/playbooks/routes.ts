/** Requests to Cordon's own address: each is a command, a name lookup, or a note. None leaves the process. */
import type {RawArgs} from '#shared/commands/arguments.ts'
import {catalogue, findCommand} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import {nearest} from '#shared/commands/nearest.ts'
import {switchOf} from '#shared/commands/options.ts'
import {wholeIn} from '#shared/commands/values.ts'
import {invalidArgument} from '#contract/errors.ts'
import {isolateCommand, releaseCommand} from '#model/isolation.ts'
import {longestLeaseHours} from '#model/lease.ts'
import type {PlaybookCommand} from './document.ts'
import {fillJson, fillTarget, type Lookup} from './variables.ts'

/** The part of a response that becomes the value of a variable. */
export interface Wanted {
	/** Paths into each record, joined by commas; `null`: all of it as JSON, or the route's plain word. */
	select: string | null
	/** Whether to return the number of records. */
	count: boolean
	/** Filter of records: `path:value`, `path:days`, or a path. */
	same: string | null
	other: string | null
	before: string | null
	twice: string | null
}

export interface CommandOrder {
	kind: 'command'
	name: string
	args: RawArgs
	/** An argument with several values, each of which is a command of its own. */
	each: string | null
	reason: string | null
	ticket: string | null
	confirm: string | null
	/** Of an isolation. */
	leaseHours: number | null
	autoRelease: boolean
	/** In seconds. */
	wait: number | null
	/** Reads all pages. */
	all: boolean
	wanted: Wanted
}

/** Without an incident it goes to that of the run. */
export interface NoteOrder {
	kind: 'note'
	text: string
	incident?: string
}

export type Order = CommandOrder | {kind: 'guid'; computer: string} | NoteOrder

export interface Route {
	readonly method: string
	/** `{name}`: an argument, or `:` before a name to look up. */
	readonly path: readonly string[]
	readonly command: string
	/** Selected by default. */
	readonly plain?: string
}

const route = (line: string, command: string, plain?: string): Route => {
	const [method = '', path = ''] = line.split(' ')
	return {method, path: path.split('/').filter(Boolean), command, ...(plain !== undefined && {plain})}
}

const computer = '/computers/{connector_guid}'
const file = '/file-lists/{file_list_guid}/files/{sha256}'

/** In this order: words come before arguments. */
export const routes: readonly Route[] = [
	route('GET /version', 'svc_get_version'),
	route('GET /computers', 'svc_get_computers'),
	route('GET /computers/activity', 'svc_get_computer_activity'),
	route(`GET ${computer}/guid`, '$guid'),
	route(`GET ${computer}/trajectory`, 'svc_get_computer_trajctory'),
	route(`GET ${computer}/isolation/status`, 'svc_get_computers_isolation', 'status'),
	route(`GET ${computer}/isolation/wait`, 'svc_get_computers_isolation', 'status'),
	route(`GET ${computer}/isolation`, 'svc_get_computers_isolation'),
	route(`GET ${computer}`, 'svc_get_computer_by_connector'),
	route(`PUT ${computer}/isolation`, isolateCommand, 'status'),
	route(`DELETE ${computer}/isolation`, releaseCommand, 'status'),
	route(`PUT ${computer}/group/{group_guid}`, 'svc_move_computer', 'group_guid'),
	route('GET /events', 'svc_get_events'),
	route('GET /event-types', 'svc_get_event_types'),
	route('GET /file-lists/application_blocking', 'svc_get_application_blocking'),
	route('GET /file-lists/simple_custom_detections', 'svc_get_simple_custom_detections'),
	route(`GET ${file}`, 'svc_get_file_list_files_by_sha'),
	route('GET /file-lists/{file_list_guid}/files', 'svc_get_file_list_files'),
	route('GET /file-lists/{file_list_guid}', 'svc_get_file_list_by_guid'),
	route(`PUT ${file}`, 'svc_set_file_list_files_by_sha', 'sha256'),
	route(`DELETE ${file}`, 'svc_delete_file_list_files_by_sha'),
	route('GET /groups/{group_guid}', 'svc_get_group'),
	route('GET /groups', 'svc_get_groups'),
	route('PUT /groups/{group_guid}/policies', 'svc_set_group_policy'),
	route('GET /policies/{policy_guid}', 'svc_get_policy'),
	route('GET /policies', 'svc_get_policies'),
	route('POST /incidents/{incident}/entries', '$note'),
	route('POST /commands/{command}', '$command')
]

/** Allowed besides the arguments of a command. */
const extras = [
	'reason',
	'ticket',
	'confirm',
	'lease',
	'auto-release',
	'wait',
	'all',
	'select',
	'count',
	'each',
	'same',
	'other',
	'before',
	'twice'
]

type StartLine = ReturnType<typeof readStartLine>

export function readStartLine(line: string) {
	const [method, target, version, ...more] = line.trim().split(/\s+/)
	if (method === undefined || target === undefined || version === undefined || more.length > 0)
		throw wrong('The start line needs three parts with one blank between them: method, path, HTTP/1.1.')
	return {method: method.toUpperCase(), target}
}

/** Independent of values: the words of the template select the route. */
export function routeOf({method, target}: StartLine): Route {
	const parts = (target.split('?')[0] ?? '').split('/').filter(Boolean)
	const found = routes.find(one => one.method === method && fits(one.path, parts))
	if (found !== undefined) return found
	const known = routes.map(one => `${one.method} /${one.path.join('/')}`)
	const near = nearest(`${method} /${parts.join('/')}`, known)
	const advice = near === undefined ? 'Use POST /commands/<name of a command>.' : `Did you mean ${near}?`
	throw wrong(`Cordon does not answer ${method} /${parts.join('/')}. ${advice}`)
}

function fits(path: readonly string[], parts: readonly string[]) {
	return path.length === parts.length && path.every((word, index) => word.startsWith('{') || word === parts[index])
}

/** What the words of a request say by their places. */
export function namedIn({path}: Route, words: readonly string[]): Record<string, string> {
	return Object.fromEntries(path.flatMap((word, index) => (word.startsWith('{') ? [[word.slice(1, -1), words[index] ?? '']] : [])))
}

const wrong = (message: string, field = 'command') => invalidArgument(message, field)

/** The order of a request, its variables filled in by position. Throws `invalid_argument` with the field at fault. */
export function orderOf({command = '', content}: PlaybookCommand, lookup: Lookup): Order {
	const line = readStartLine(command)
	const one = routeOf(line)
	const {path, query} = fillTarget(line.target, lookup)
	const named = namedIn(one, path)
	const given = {...valuesIn(query), ...bodyOf(content, lookup)}
	if (one.command === '$guid') return {kind: 'guid', computer: named['connector_guid'] ?? ''}
	if (one.command === '$note') return noteOf(given, named)
	const {command: name = one.command, ...rest} = named
	const order = commandOf(specOf(name), {...given, ...rest}, one)
	if (order.autoRelease) refuseEndless(order.leaseHours)
	return order
}

/** Throws for what would never be released automatically. */
export function refuseEndless(leaseHours: number | null) {
	if (leaseHours === null) throw wrong('auto-release needs a lease that ends: give lease, in hours.', 'auto-release')
}

export type Given = Readonly<Record<string, string | readonly string[]>>

/** A name that stands several times has a list. */
export function valuesIn(query: Iterable<readonly [name: string, value: string]>): Given {
	const all = [...Map.groupBy(query, ([name]) => name)]
	return Object.fromEntries(all.map(([name, pairs]) => [name, pairs[1] === undefined ? (pairs[0]?.[1] ?? '') : pairs.map(([, value]) => value)]))
}

function bodyOf(content: string | undefined, lookup: Lookup): Given {
	if (content === undefined || content.trim() === '') return {}
	let body: unknown
	try {
		body = fillJson(content, lookup)
	} catch {
		throw wrong('The content is not JSON. Put each variable between quotation marks.', 'content')
	}
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw wrong('The content has to be a JSON object with the arguments.', 'content')
	return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, textOf(key, value)]))
}

export function textOf(key: string, value: unknown): string | readonly string[] {
	if (Array.isArray(value) && !value.some(one => Array.isArray(one))) return value.map(one => String(textOf(key, one)))
	if (typeof value === 'string') return value
	if (typeof value === 'number' || typeof value === 'boolean') return String(value)
	throw wrong(`The value of ${key} has to be text, a number or a list of them.`, 'content')
}

function noteOf({text}: Given, {incident = '-'}: Readonly<Record<string, string>>): Order {
	if (typeof text !== 'string' || text.trim() === '') throw wrong('A note needs "text" in its content.', 'content')
	return {kind: 'note', text, ...(incident !== '-' && {incident})}
}

export function specOf(name: string): CommandSpec {
	const spec = findCommand(name)
	if (spec !== undefined) return spec
	const near = nearest(
		name,
		catalogue.map(one => one.name)
	)
	throw wrong(`There is no command ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
}

export function commandOf(spec: CommandSpec, given: Given, {path, plain}: Pick<Route, 'path' | 'plain'>): CommandOrder {
	const waits = path.at(-1) === 'wait'
	const {until, timeout, ...others} = given
	const all = waits ? {...others, ...(until !== undefined && {status: until}), wait: timeout ?? '600'} : given
	for (const name of Object.keys(all)) refuseName(spec, name)
	const extra: Extra = name => {
		const value = all[name]
		// Paths to select may be a list.
		if (typeof value === 'object' && name !== 'select') throw wrong(`${name} is given more than once.`, name)
		return value === undefined || value === '' ? null : String(value)
	}
	const args = Object.entries(all).filter(([name, value]) => name in spec.args && value !== '')
	const each = extra('each')
	// It would carry out nothing, and tell that as done.
	if (each !== null && !(Object.hasOwn(spec.args, each) && Object.hasOwn(all, each)))
		throw wrong(`each names ${each}, which is not an argument that the request gives.`, 'each')
	return {
		...{kind: 'command', name: spec.name, args: Object.fromEntries(args), each},
		...{reason: extra('reason'), ticket: extra('ticket'), confirm: extra('confirm')},
		leaseHours: wholeOf(extra, 'lease', longestLeaseHours),
		autoRelease: isOn(extra, 'auto-release'),
		wait: wholeOf(extra, 'wait', 86_400),
		all: isOn(extra, 'all'),
		wanted: {select: extra('select') ?? plain ?? null, count: isOn(extra, 'count'), ...filtersOf(extra)}
	}
}

type Extra = (name: string) => string | null

function filtersOf(extra: Extra): Pick<Wanted, 'same' | 'other' | 'before' | 'twice'> {
	return {same: extra('same'), other: extra('other'), before: extra('before'), twice: extra('twice')}
}

function refuseName(spec: CommandSpec, name: string) {
	if (spec.args[name]?.secret === true || name === 'unlock_code')
		throw wrong(`${name} cannot stand in a playbook or a request: both are kept readable.`, name)
	const known = [...Object.keys(spec.args), ...extras]
	if (known.includes(name)) return
	const near = nearest(name, known)
	throw wrong(`${spec.name} has no argument ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`, name)
}

function wholeOf(extra: Extra, name: string, most: number) {
	const text = extra(name)
	return text === null ? null : wholeIn(text, name, 1, most)
}

function isOn(extra: Extra, name: string) {
	const on = switchOf(extra(name) ?? 'false')
	if (on === undefined) throw wrong(`${name} is true or false.`, name)
	return on
}

/** The command of a request, with stand-ins for the values, for checks before it runs. `null`: a note or a lookup. */
export function specOfOrder(command: PlaybookCommand): CommandSpec | null {
	const order = orderOf(command, () => '1')
	return order.kind === 'command' ? (findCommand(order.name) ?? null) : null
}

/** The commands of one order, in sequence. */
export function singleOrders(order: CommandOrder): readonly CommandOrder[] {
	const {each, args} = order
	if (each === null) return [order]
	const given = args[each] ?? ''
	const values = (typeof given === 'string' ? given.split(',') : given).map(one => one.trim()).filter(Boolean)
	if (values.length > mostOfEach) throw wrong(`${each} holds ${values.length} values; at most ${mostOfEach} fit into a step.`, 'each')
	return [...new Set(values)].map(value => ({...order, each: null, args: {...args, [each]: value}}))
}

const mostOfEach = 1000
