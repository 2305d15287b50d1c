/** The allow-list of the local API. Routes, document and reference are made from it; nothing else is exposed. */
import {catalogue} from '#shared/commands/catalogue.ts'
import type {ArgSpec, CommandSpec} from '#shared/commands/define.ts'
import {errorCodes} from '#contract/errors.ts'
import {approvalStates} from '#model/approval.ts'
import type {ApiOperation, TokenScope} from '#model/door.ts'
import {longestLeaseHours} from '#model/lease.ts'
import {routes} from '#core/playbooks/routes.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Operation {
	readonly id: string
	readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
	/** Below `/api/v1`. */
	readonly path: string
	readonly summary: string
	readonly scope: TokenScope
	readonly params: Readonly<Record<string, JsonSchema>>
	readonly query: Readonly<Record<string, JsonSchema>>
	/** Fields of the body, if any. */
	readonly body?: Readonly<Record<string, JsonSchema>>
	readonly required: readonly string[]
	/** A name of `schemas`. */
	readonly answer: keyof typeof schemas
	readonly command?: CommandSpec
}

const text = {type: 'string'} as const
const count = {type: 'integer', minimum: 0} as const
const record = {type: 'object', additionalProperties: true} as const

export const schemas = {
	Result: {
		type: 'object',
		description: 'What a command gave. `data` holds the records of the service, unlock codes masked.',
		required: ['command', 'args', 'data', 'message', 'entry', 'durationMs'],
		properties: {
			command: text,
			args: record,
			data: {type: ['array', 'object', 'null'], items: record},
			message: text,
			entry: {...text, description: 'Id of the entry in the incident log.'},
			...{total: count, missing: {type: 'array', items: count}, matches: {type: 'boolean'}},
			...{status: count, requestId: text, durationMs: count}
		}
	},
	Computers: {
		type: 'object',
		required: ['rows', 'offset', 'matching', 'all', 'revision'],
		properties: {...{rows: {type: 'array', items: record}, offset: count, matching: count, all: count, revision: count}}
	},
	Computer: {...record, description: 'The record of the service as it was last read.'},
	Runs: {type: 'object', required: ['rows', 'matching'], properties: {rows: {type: 'array', items: record}, matching: count}},
	Run: {...record, required: ['id', 'state'], properties: {id: text, state: text}},
	Approval: {
		type: 'object',
		description: 'A change that a person in Cordon allows or denies. Nothing was sent while it is pending_approval.',
		required: ['id', 'state', 'title', 'requestedAt', 'expiresAt', 'outcome'],
		properties: {
			id: text,
			state: {enum: approvalStates.map(state => (state === 'pending' ? 'pending_approval' : state))},
			...{title: text, requestedAt: text, expiresAt: text, outcome: {type: ['string', 'null']}}
		}
	},
	Problem: {
		type: 'object',
		description: 'RFC 9457. `code` is of the table in docs/reference/errors.md.',
		required: ['type', 'title', 'status', 'detail', 'code', 'retry'],
		properties: {
			...{type: text, title: text, status: {type: 'integer'}, detail: text, code: {enum: errorCodes}},
			...{retry: {enum: ['no', 'now', 'later', 'read_first']}, field: text, fix: text, retryAt: text},
			entry: text,
			serviceStatus: {type: 'integer'}
		}
	}
} as const satisfies Readonly<Record<string, JsonSchema>>

const connection = {...text, description: 'Name or id of the connection; needed where the token has several.'}
const extras = {connection, incident: {...text, description: 'The incident that the log entries join.'}} as const
const changing = {
	reason: {...text, description: 'Why, for the incident log.'},
	ticket: {...text, description: 'A ticket, for the incident log.'}
} as const
const leasing = {
	lease: {type: 'integer', minimum: 1, maximum: longestLeaseHours, description: 'Hours of the lease.'},
	'auto-release': {type: 'boolean', description: 'Released by Cordon when the lease expires.'}
} as const

function schemaOf(spec: ArgSpec): JsonSchema {
	const plain: Record<string, unknown> = {type: spec.kind === 'integer' ? 'integer' : 'string'}
	if (spec.kind === 'integer') Object.assign(plain, {minimum: spec.min, maximum: spec.max})
	if (spec.kind === 'sha256') plain['pattern'] = '^[0-9A-Fa-f]{64}$'
	if (spec.choices !== undefined) plain['enum'] = spec.choices
	const description = spec.summary
	return spec.many === 'no' ? {...plain, description} : {type: 'array', items: plain, description}
}

/** The API never accepts unlock codes. */
function openArgs({args}: CommandSpec): readonly (readonly [string, ArgSpec])[] {
	return Object.entries(args).filter(([name, spec]) => spec.secret !== true && name !== 'unlock_code')
}

/** The shortest of a command's routes; a command that has none is at its own name. */
function routeOf({name, risk}: CommandSpec) {
	const own = {method: risk === 'read' ? 'GET' : 'POST', path: ['commands', name]}
	const [route = own] = routes.filter(({command}) => command === name).toSorted((one, other) => one.path.length - other.path.length)
	return route
}

function operationOf(spec: CommandSpec): Operation {
	const route = routeOf(spec)
	const named = new Set(route.path.filter(word => word.startsWith('{')).map(word => word.slice(1, -1)))
	const args = openArgs(spec)
	const isRead = spec.risk === 'read'
	const rest = Object.fromEntries(args.filter(([name]) => !named.has(name)).map(([name, arg]) => [name, schemaOf(arg)]))
	const options = {
		...(spec.options.includes('all') && {all: {type: 'boolean', description: 'All pages.'}}),
		...(spec.options.includes('wait') && {wait: {type: 'integer', minimum: 1, maximum: 600, description: 'Seconds to wait for the status.'}})
	}
	return {
		id: spec.name,
		method: route.method as Operation['method'], // the table of routes names no other
		path: `/${route.path.join('/')}`,
		summary: spec.summary,
		scope: isRead ? 'read' : 'change',
		params: Object.fromEntries(args.filter(([name]) => named.has(name)).map(([name, arg]) => [name, schemaOf(arg)])),
		query: isRead ? {...rest, ...options, ...extras} : extras,
		...(!isRead && {body: {...rest, ...changing, ...(spec.risk === 'isolate' && leasing)}}),
		required: args.filter(([name, arg]) => arg.required && !named.has(name)).map(([name]) => name),
		answer: 'Result',
		command: spec
	}
}

type Own = Pick<Operation, 'id' | 'path' | 'summary' | 'answer'> & Partial<Pick<Operation, 'params' | 'query'>>

const own = (operation: Own): Operation => ({...{method: 'GET', scope: 'read', required: [], params: {}, query: {}}, ...operation})

const window = {
	offset: {...count, description: 'How many to skip.'},
	limit: {type: 'integer', minimum: 1, maximum: 500, description: 'How many at most (default: 100).'}
} as const

export const operations: readonly Operation[] = [
	...catalogue.map(operationOf),
	own({
		id: 'local_computers',
		path: '/local/computers',
		summary: 'Lists computers of local data; the service is not asked.',
		query: {filter: {...text, description: 'As in the list of computers.'}, ...window, connection},
		answer: 'Computers'
	}),
	own({
		id: 'local_computer',
		path: '/local/computers/{connector_guid}',
		summary: 'Shows one computer of local data; the service is not asked.',
		params: {connector_guid: {...text, description: 'The computer, by its connector GUID.'}},
		query: {connection},
		answer: 'Computer'
	}),
	own({id: 'runs', path: '/runs', summary: 'Lists runs of playbooks, newest first.', query: window, answer: 'Runs'}),
	own({
		id: 'run',
		path: '/runs/{run}',
		summary: 'Shows a run of a playbook with its steps.',
		params: {run: {...text, description: 'Id of the run.'}},
		answer: 'Run'
	}),
	own({
		id: 'approval',
		path: '/approvals/{approval}',
		summary: 'Tells how a change stands that this token proposed.',
		params: {approval: {...text, description: 'Id of the approval.'}},
		answer: 'Approval'
	})
]

/** Other routes, answered without a procedure. */
export const changesPath = '/changes'

/** For the reference in the console. */
export const apiReference: readonly ApiOperation[] = operations.map(({id, method, path, summary, scope, params, query}) => ({
	...{id, method, path, summary, scope},
	parameters: [
		...Object.entries(params).map(([name, schema]) => parameterOf('path', name, schema)),
		...Object.entries(query).map(([name, schema]) => parameterOf('query', name, schema))
	]
}))

function parameterOf(place: 'path' | 'query', name: string, {description}: JsonSchema) {
	return {name, place, summary: String(description)}
}
