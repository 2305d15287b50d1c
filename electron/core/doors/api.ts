/** Answers admitted requests of the local API: `/api/v1` as JSON, `/playbook.api` as plain text. */
import {hash} from 'node:crypto'

import {StandardOpenAPIHandler} from '@orpc/openapi/standard'

import type {CommandSpec} from '#shared/commands/define.ts'
import {CordonError, type ErrorCode, errorTable, invalidArgument, reportError, usageError} from '#contract/errors.ts'
import {stringifyExact} from '#model/exact-json.ts'

import type {Proposed} from '#core/actions/commands/proposing.ts'
import {guidOf} from '#core/playbooks/names.ts'
import {bodyOf, checkWanted, isRead} from '#core/playbooks/program.ts'
import {namedIn, routeOf, singleOrders, valuesIn} from '#core/playbooks/routes.ts'
import {knownIncident} from '#core/record/incidents/known.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Clock} from '#base/ports.ts'
import type {Answer, Answers} from './answers.ts'
import {askedOf, askFor, connectionOf, givenOf, runAsked, type Caller, type CommandDependencies} from './commands.ts'
import {follow, type FollowDependencies} from './follow.ts'
import {unchanged, type KeptAnswers} from './kept.ts'
import {ownData, type OwnDependencies} from './own-data.ts'
import {changesPath, operations, type Operation} from './operations.ts'
import {openApiDocument, Prepared, routerOf, type Request} from './router.ts'
import {problemOf, type Respond, type Visit} from './server.ts'

export interface ApiDependencies extends CommandDependencies, FollowDependencies, Omit<OwnDependencies, 'connections'> {
	clock: Clock
	answers: Answers
	kept: KeptAnswers
	log: Pick<IncidentLog, 'append' | 'incidents'>
}

interface Context {
	visit: Visit
}

const prefix = '/api/v1'
const scalars = '/playbook.api'

class Failed {
	readonly error: unknown
	constructor(error: unknown) {
		this.error = error
	}
}

export function createApi(deps: ApiDependencies): Respond {
	const router = routerOf<Context>((operation, request, {visit}) => answered(deps, operation, request, visit))
	const handler = new StandardOpenAPIHandler<Context>(router, {
		// An error thrown here is answered by the server, not by the handler.
		customErrorResponseBodyEncoder: error => new Failed(error.cause ?? error)
	})
	let document: Promise<string> | undefined
	return async visit => {
		const {url, request, method} = visit
		const {pathname} = url
		// Its last part was empty.
		if (pathname.endsWith('/')) throw new CordonError('not_found', `There is no ${pathname}.`)
		if (pathname === `${prefix}/openapi.json` && method === 'GET')
			return {
				status: 200,
				headers: {},
				body: await (document ??= openApiDocument().then(one => JSON.stringify({...one, servers: [{url: prefix}]})))
			}
		// A stream of changes is nothing but body: no HEAD.
		if (pathname === prefix + changesPath && request.method === 'GET') return await follow(deps, visit)
		if (pathname.startsWith(`${scalars}/`)) return await scalar(deps, visit)
		const {response} = await handler.handle(
			{method, url, headers: request.headers, signal: visit.signal, body: () => jsonOf(visit)},
			{context: {visit}, prefix}
		)
		if (response === undefined) return notAllowed(request.method, pathname, deps.clock.now())
		if (response.body instanceof Prepared) return response.body.answer
		throw response.body instanceof Failed ? response.body.error : new CordonError('internal')
	}
}

const own = [changesPath, '/openapi.json'].map(path => ({method: 'GET', path}))

/** 405 with what the path takes; throws `not_found` for an unknown path. */
function notAllowed(method: string | undefined, pathname: string, now: number) {
	const found = [...own, ...operations].filter(({path}) => {
		const words = pathname.split('/')
		const parts = (prefix + path).split('/')
		return parts.length === words.length && parts.every((part, at) => part.startsWith('{') || part === words[at])
	})
	if (found.length === 0) throw new CordonError('not_found', `There is no ${method} ${pathname}.`)
	const heads = found.some(one => one.method === 'GET' && one.path !== changesPath) ? ['HEAD'] : []
	const allow = [...new Set([...found.map(one => one.method), ...heads])].join(', ')
	const {headers, ...problem} = problemOf(usageError(`${pathname} takes ${allow}, not ${method}.`), now, 405)
	return {...problem, headers: {...headers, allow}}
}

async function jsonOf({body, request}: Pick<Visit, 'body' | 'request'>) {
	const text = await body()
	if (text.trim() === '') return undefined
	const type = request.headers['content-type'] ?? 'application/json'
	if (!/^application\/json\s*(?:;|$)/i.test(type)) throw noJson()
	try {
		return JSON.parse(text)
	} catch {
		throw noJson()
	}
}

function noJson() {
	return invalidArgument('The body has to be JSON.', 'body')
}

const callerOf = ({token, signal}: Visit): Caller => ({token, signal, surface: 'api'})

async function answered(deps: ApiDependencies, operation: Operation, request: Request, visit: Visit) {
	const {params, query, body} = request
	const given = givenOf(query, body, params)
	const known = {...operation.params, ...operation.query, ...operation.body}
	for (const name of Object.keys(given))
		if (!Object.hasOwn(known, name) && name !== 'confirm' && name !== 'unlock_code')
			throw usageError(`${operation.id} has no parameter ${name}.`, name)
	if (operation.command === undefined) return await ownAnswer(deps, operation, given, visit)
	const {command, path} = operation
	const caller = callerOf(visit)
	const asked = await askedOf(deps, caller, command.name, given, {path: path.split('/').filter(Boolean)})
	const work = async (): Promise<Answer> => {
		const outcome = await runAsked(deps, caller, asked)
		if ('proposed' in outcome) return waiting(outcome.proposed, JSON.stringify(outcome.proposed))
		const {result} = outcome
		const headers = command.result.kind === 'list' && command.risk === 'read' ? pagingOf(visit.url, command, result) : {}
		return {status: 200, headers, body: stringifyExact(result)}
	}
	const key = visit.request.headers['idempotency-key']
	if (command.risk === 'read') return unchanged(visit.request, await work())
	if (typeof key !== 'string') return await work()
	const {connection, incident} = asked
	return await deps.answers.once(visit.token.id, key, {operation: operation.id, given, connection, incident}, work)
}

/** Nothing was sent: a person decides in Cordon, and this address reports the outcome. */
function waiting({id}: Proposed, body: string, headers: Answer['headers'] = {}): Answer {
	return {status: 202, headers: {...headers, location: `${prefix}/approvals/${id}`}, body}
}

/** The ETag covers the records only: time and duration differ in every answer. */
function pagingOf(url: URL, command: CommandSpec, {data, total, args}: {data: unknown; total?: number; args: Readonly<Record<string, unknown>>}) {
	const etag = tagOf(stringifyExact([data, total ?? null]))
	const count = Array.isArray(data) ? data.length : 0
	const offset = Number(args['offset'] ?? 0)
	const isPaged = 'offset' in command.args && total !== undefined && count > 0 && offset + count < total
	return {etag, ...(isPaged && {link: linkTo(url, offset + count)})}
}

function linkTo(url: URL, offset: number) {
	const next = new URL(url)
	next.searchParams.set('offset', String(offset))
	return `<${next.pathname}${next.search}>; rel="next"`
}

type GivenTexts = ReturnType<typeof givenOf>

async function ownAnswer(deps: ApiDependencies, {id}: Operation, given: GivenTexts, visit: Visit) {
	const {value, next, source} = await ownData(deps, visit.token, id, given)
	const body = stringifyExact(value)
	const etag = tagOf(body)
	const answer = {status: 200, headers: {etag, ...(next !== undefined && {link: linkTo(visit.url, next)})}, body}
	if (source !== undefined) deps.kept.keep(visit.token, visit.request, source, answer)
	return unchanged(visit.request, answer)
}

function tagOf(text: string) {
	return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`
}

/** For external playbooks: the route's value as plain text. */
async function scalar(deps: ApiDependencies, visit: Visit) {
	const {request, url, method} = visit
	const target = url.pathname.slice(scalars.length)
	const route = routeOf({method, target})
	const words = target.split('/').filter(Boolean).map(decoded)
	const named = namedIn(route, words)
	const given = givenOf(valuesIn(url.searchParams), await jsonOf(visit))
	const key = request.headers['idempotency-key']
	const work = () => plainAnswer(deps, visit, {route, named, given})
	if (typeof key !== 'string' || method === 'GET') return await work()
	return await deps.answers.once(visit.token.id, key, {route: `${method} ${target}`, given}, work)
}

function plain(body: string): Answer {
	return {status: 200, headers: {'content-type': 'text/plain; charset=utf-8'}, body}
}

interface ScalarRequest {
	route: ReturnType<typeof routeOf>
	named: Readonly<Record<string, string>>
	given: GivenTexts
}

const whole = new Set<ErrorCode>([
	'read_only',
	'log_unavailable',
	'cancelled',
	'rate_limited',
	'unauthorized',
	'forbidden',
	'secret_unavailable',
	'storage',
	'disk_full'
])

/** Any other value of the request would meet it as well. */
function concernsAll(code: ErrorCode) {
	return whole.has(code) || (errorTable[code].fault === 'network' && code !== 'outcome_unknown')
}

async function plainAnswer(deps: ApiDependencies, visit: Visit, {route, named, given}: ScalarRequest) {
	const caller = callerOf(visit)
	const wanted = typeof given['connection'] === 'string' ? given['connection'] : undefined
	if (route.command === '$guid') {
		const where = {connection: connectionOf(deps, visit.token, wanted), incident: null}
		return plain(await guidOf(askFor(deps, caller, where), named['connector_guid'] ?? ''))
	}
	if (route.command === '$note') return plain(await note(deps, visit, named, given))
	const {command = route.command, ...args} = named
	const asked = await askedOf(deps, caller, command, {...given, ...args}, route)
	checkWanted(asked.order)
	const orders = singleOrders(asked.order)
	const results: string[] = []
	const open: Proposed[] = []
	const errors: unknown[] = []
	let isSent = false
	for (const order of orders)
		try {
			const outcome = await runAsked(deps, caller, {...asked, order}).finally(() => {
				if (isRead(order) && !visit.isAdmitted()) throw new CordonError('token_refused')
			})
			isSent ||= !isRead(order)
			if ('result' in outcome) results.push(bodyOf(order, outcome.result, deps.clock.now()))
			else {
				const {state, id} = outcome.proposed
				open.push(outcome.proposed)
				results.push(orders.length === 1 ? state : `${state} ${id}`)
			}
		} catch (error) {
			if (isRead(order)) throw error
			const {code} = reportError(error)
			errors.push(error)
			results.push(`error ${code}`)
			// It alone is an answer of its own, kept as well.
			isSent ||= code === 'outcome_unknown' && orders.length > 1
			if (concernsAll(code)) break
		}
	// An answer names what was done, and is kept under its key.
	if (errors.length > 0 && !isSent) throw errors[0]
	const isMixed = errors.length > 0 || (open.length > 0 && open.length < orders.length)
	const {each, wanted: form} = asked.order
	const text =
		isMixed || open.length > 1
			? orders.map(({args}, at) => `${String(args[each ?? ''] ?? '')} ${results[at] ?? 'not_tried'}`.trim()).join('\n')
			: form.count
				? String(results.reduce((sum, one) => sum + Number(one), 0))
				: results.filter(Boolean).join(',')
	const answer = {...plain(text), status: isMixed ? 207 : 200}
	const [first] = open
	return first === undefined || isMixed ? answer : waiting(first, text, answer.headers)
}

async function note({log}: ApiDependencies, {token}: Visit, named: ScalarRequest['named'], {text}: GivenTexts) {
	if (token.scope !== 'change') throw new CordonError('out_of_scope', 'This token reads only. Nothing was done.')
	if (typeof text !== 'string' || text.trim() === '' || text.length > 10_000)
		throw invalidArgument('A note needs "text" with 1 to 10,000 characters.', 'text')
	const {incident: to = '-'} = named
	const incident = await knownIncident(log, to === '-' ? null : to)
	return (await log.append({kind: 'note', surface: 'api', message: text, incident, data: {token: token.name}})).id
}

function decoded(word: string) {
	try {
		return decodeURIComponent(word)
	} catch {
		throw invalidArgument('The path holds a broken percent sign.')
	}
}
