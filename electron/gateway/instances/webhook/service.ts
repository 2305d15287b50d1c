/** Incoming webhook: a built-in instance that answers signed requests. It changes nothing itself: changes are proposed. */
import {hash} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {request as httpsRequest} from 'node:https'
import {join} from 'node:path'

import type {Desk, DeskCaller} from '#core/app/gateway.ts'
import {openCacheFile} from '#core/store/cache-file.ts'
import {isRecord} from '#shared/is-record.ts'
import {reportError} from '#contract/errors.ts'
import type {Access, WebhookService} from '#model/instance.ts'
import {claimOf, signatureIn} from '../../forwarder/access/signature.ts'
import {listenOn, type ServiceOptions} from '../http-service.ts'

interface WebhookServiceOptions extends ServiceOptions<WebhookService> {
	access: Access
	/** Called for each request: the key may have changed. */
	signingKey: () => Promise<string | undefined>
	desk: Desk
	/** Posts a late answer; replaced in tests. */
	post?: ((url: URL, body: string) => void) | undefined
}

const mostBody = 262_144
/** Slack shows an error after 3 s, Teams after 5; other senders wait 15 or more, and try again. */
const answerWithinMs = {chat: 2500, other: 14_000}
/** The only hosts for late answers. */
const answerHosts: ReadonlySet<string> = new Set(['https://hooks.slack.com'])

export type RunningWebhook = Awaited<ReturnType<typeof startWebhookService>>

export async function startWebhookService(options: WebhookServiceOptions) {
	const {access, folder, host, port} = options
	if (access.kind !== 'hmac') throw new Error('It needs access by signature (hmac).')
	await mkdir(folder, {recursive: true, mode: 0o700})
	const nonces = openNonces(join(folder, 'nonces.db'))
	const working: Answering['working'] = new Map()
	let {definition} = options
	const server = createServer({headersTimeout: 10_000, requestTimeout: 30_000})
	server.on('request', (request, response) => {
		answer({...options, definition, access, nonces, working}, request, response).catch((error: unknown) => {
			options.onTrouble('A webhook could not be answered.', error)
			say(response, 500, {text: 'It could not be answered.'})
		})
	})
	try {
		const running = await listenOn(server, {host, port}, 'The webhook')
		return {
			port: running.port,
			reload: (next: WebhookService) => (definition = next),
			stop: async () => {
				await running.stop()
				nonces.close()
			}
		}
	} catch (error) {
		nonces.close()
		throw error
	}
}

interface Answering extends WebhookServiceOptions {
	access: SignedAccess
	nonces: Nonces
	/** What is done for a message, which each try of it waits for. */
	working: Map<string, Promise<Done>>
}

interface Done {
	status: number
	text: string
}

async function answer(answering: Answering, request: IncomingMessage, response: ServerResponse) {
	const {access, nonces} = answering
	if (request.method !== 'POST') return say(response, 405, {text: 'Only POST is answered.'})
	const body = await bodyOf(request)
	if (body === null) return say(response, 413, {text: 'The body is too large.'})
	const key = await answering.signingKey()
	if (key === undefined) return say(response, 503, {text: 'The signing key is not in the secret store.'})
	const refusal = refusalOf(answering, key, request.rawHeaders, body)
	if (refusal !== null) return say(response, 401, {text: refusal})
	// The standard's own: the same with each try of a message, whose time and signature are new.
	const message = access.preset === 'standard' ? `id ${String(request.headers['webhook-id'])}` : undefined
	if (message !== undefined && nonces.has(message)) return say(response, 200, {text: 'This message was taken before.'})
	let asked: Request
	try {
		asked = requestOf(access.preset, request.headers['content-type'] ?? '', body.toString('utf8'))
	} catch (error) {
		return say(response, 400, {text: error instanceof Error ? error.message : 'The body cannot be read.'})
	}
	await reply(answering, asked, message, response)
}

/** In time, or later: to the sender's own host, else into the log. */
async function reply(answering: Answering, {ask, from, later}: Request, message: string | undefined, response: ServerResponse) {
	const {access, clock, desk, instance, working} = answering
	const {connection} = answering.definition
	const caller = {connection, from: `${from} by ${instance.name}`, instance: instance.name}
	const work = working.get(message ?? '') ?? done(answering, ask, caller, message)
	if (message !== undefined) working.set(message, work)
	const late = new AbortController()
	const patience = clock.sleep(message === undefined ? answerWithinMs.chat : answerWithinMs.other, late.signal).then(
		() => null,
		() => null
	)
	const found = await Promise.race([work, patience])
	late.abort()
	if (found !== null) return say(response, found.status, answerBody(access.preset, ask, found.text))
	if (message !== undefined) return say(response, 503, {text: 'This takes longer: try again.'})
	const url = later === null || !URL.canParse(later) ? null : new URL(later)
	const follows = url !== null && access.preset === 'slack' && answerHosts.has(url.origin)
	const where = follows ? 'The answer follows.' : 'Its answer will be in the incident log of Cordon.'
	say(response, 200, answerBody(access.preset, ask, `This takes longer. ${where}`))
	const {text} = await work
	if (follows) (answering.post ?? postLate)(url, JSON.stringify(answerBody(access.preset, ask, text)))
	else await desk.note(caller, `The answer came too late: ${text}`)
}

async function done(answering: Answering, ask: Ask, caller: DeskCaller, message: string | undefined): Promise<Done> {
	const {clock, instance, nonces, working} = answering
	try {
		const text = await outcome(answering, ask, {...caller, message: message && `webhook ${instance.id} ${message}`})
		if (message !== undefined) nonces.add(message, clock.now(), repeatedS)
		return {status: 200, text}
	} catch (error) {
		const report = reportError(error)
		// A chat shows only answers of 200; any other sender tries again.
		const again = message !== undefined && (report.retry === 'now' || report.retry === 'later')
		return {status: again ? 503 : 200, text: report.message}
	} finally {
		if (message !== undefined) working.delete(message)
	}
}

async function outcome({definition, desk}: Answering, ask: Ask, caller: DeskCaller) {
	const {notes, questions, proposals, playbooks} = definition
	const off = (what: string) => `This webhook does not take ${what}.`
	switch (ask.kind) {
		case 'note':
			return notes ? await desk.note(caller, ask.text) : off('notes')
		case 'who':
			return questions ? await desk.whoHas(caller, ask.hash) : off('questions')
		case 'isolate':
			return proposals ? await desk.proposeIsolation(caller, ask.computer) : off('proposals')
		case 'playbook':
			return playbooks.includes(ask.playbook)
				? await desk.startPlaybook(caller, ask.playbook, ask.variables)
				: off(`the playbook ${ask.playbook}`)
		case 'help':
			return helpText
		case 'echo':
			return ask.text
	}
}

async function bodyOf(request: IncomingMessage) {
	const pieces: Buffer[] = []
	let size = 0
	for await (const piece of request) {
		const bytes = Buffer.from(piece as Uint8Array) // without an encoding, pieces are bytes
		size += bytes.length
		if (size > mostBody) return null
		pieces.push(bytes)
	}
	return Buffer.concat(pieces)
}

function say(response: ServerResponse, status: number, body: Readonly<Record<string, string>>) {
	if (response.headersSent) return
	const text = JSON.stringify(body)
	response.writeHead(status, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)}).end(text)
}

/** Delivery is up to the sender: the work is done and logged. */
function postLate(url: URL, body: string) {
	const how = {method: 'POST', headers: {'content-type': 'application/json'}, timeout: 10_000, rejectUnauthorized: true}
	const sent = httpsRequest(url, how)
	sent.on('error', () => {})
	sent.on('timeout', () => sent.destroy())
	sent.on('response', response => response.resume())
	sent.end(body)
}

/** The order in a request, by its sender's format, and how it is answered. Pure. */
type Ask =
	| {kind: 'help'}
	| {kind: 'note'; text: string}
	| {kind: 'who'; hash: string}
	| {kind: 'isolate'; computer: string}
	| {kind: 'playbook'; playbook: string; variables: Readonly<Record<string, string>>}
	/** Only the sender's own check, answered as it requires. */
	| {kind: 'echo'; text: string}

interface Request {
	ask: Ask
	/** The user, as named by the sender. */
	from: string
	/** Address for a late answer. */
	later: string | null
}

const longest = 4000

/** Throws for a request that deviates from the sender's documentation. */
function requestOf(preset: SignedAccess['preset'], type: string, body: string): Request {
	if (preset === 'slack') return slackRequest(type, body)
	const data = recordOf(JSON.parse(body))
	if (preset === 'teams') {
		const from = textIn(recordOf(data['from']), 'name') || 'Microsoft Teams'
		// HTML: the bot's name comes first, in a tag.
		const said = textIn(data, 'text').replaceAll(/<at>.*?<\/at>|<[^>]+>/gs, ' ')
		return {ask: askOf(said.replaceAll(entities, characterOf)), from, later: null}
	}
	return {ask: plainAsk(data), from: textIn(data, 'from') || 'webhook', later: null}
}

const entities = /&(?:(\w+)|#(\d{1,6})|#x([\da-f]{1,5}));/gi
const named: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' '}

/** Of an entity; an unknown one stays. */
function characterOf(entity: string, name: string | undefined, decimal: string | undefined, hex: string | undefined) {
	if (name !== undefined) return named[name] ?? entity
	return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
}

/** A slash command is a form; the address check is JSON. */
function slackRequest(type: string, body: string): Request {
	if (type.startsWith('application/json')) {
		const data = recordOf(JSON.parse(body))
		return {ask: {kind: 'echo', text: textIn(data, 'challenge')}, from: 'Slack', later: null}
	}
	const form = new URLSearchParams(body)
	if (form.get('ssl_check') === '1') return {ask: {kind: 'echo', text: ''}, from: 'Slack', later: null}
	const from = form.get('user_name') ?? form.get('user_id') ?? 'Slack'
	// `<https://ws-1.example|ws-1.example>` is what was typed, as a link.
	const said = cut(form.get('text') ?? '').replaceAll(/<(?:[^<>|]*\|)?([^<>]*)>/g, '$1')
	return {ask: askOf(said.replaceAll(entities, characterOf)), from, later: form.get('response_url')}
}

/** Typed commands: `who HASH`, `isolate COMPUTER`, `note WORDS`, `playbook NAME [variable=value …]`. */
function askOf(typed: string): Ask {
	const text = typed.trim().replaceAll(/\s+/g, ' ')
	const hash = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/i.exec(text)?.[0]
	const [, verb = '', rest = ''] = /^(\S+)(?: (.*))?$/.exec(text) ?? []
	const word = verb.toLowerCase()
	if (word === 'note' && rest !== '') return {kind: 'note', text: rest}
	if (word === 'isolate' && rest !== '') return {kind: 'isolate', computer: rest}
	if (word === 'playbook' && rest !== '') return playbookAsk(rest)
	if (hash !== undefined && (word === 'who' || text === hash)) return {kind: 'who', hash: hash.toLowerCase()}
	return {kind: 'help'}
}

function playbookAsk(rest: string): Ask {
	// A name contains blanks, and ends where the first variable begins.
	const words = rest.split(' ')
	const first = words.findIndex(word => word.includes('='))
	const playbook = (first < 0 ? words : words.slice(0, first)).join(' ').replace(/^["“](.*)["”]$/, '$1')
	const pairs = words.flatMap(word => {
		const [, name, value] = /^([^=]+)=(.*)$/.exec(word) ?? []
		return name === undefined || value === undefined ? [] : [[name, value] as const]
	})
	return {kind: 'playbook', playbook, variables: Object.fromEntries(pairs)}
}

/** `{"text": …}`, `{"hash": …}`, `{"isolate": …}` or `{"playbook": …, "variables": {…}}`. Anything else becomes a note. */
function plainAsk(data: Readonly<Record<string, unknown>>): Ask {
	const [text, hash, computer, playbook] = ['text', 'hash', 'isolate', 'playbook'].map(name => textIn(data, name))
	if (playbook) {
		const given = Object.entries(recordOf(data['variables'] ?? {}))
		return {kind: 'playbook', playbook, variables: Object.fromEntries(given.map(([name, value]) => [name, String(value)]))}
	}
	if (computer) return {kind: 'isolate', computer}
	if (hash) return askOf(`who ${hash}`)
	return {kind: 'note', text: text || cut(JSON.stringify(data))}
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
	if (isRecord(value)) return {...value}
	throw new Error('The body is not a JSON object.')
}

function textIn(data: Readonly<Record<string, unknown>>, name: string) {
	const value = data[name]
	return typeof value === 'string' ? cut(value) : ''
}

function cut(text: string) {
	const more = text.length - longest
	return more > 0 ? `${text.slice(0, longest)}… (${more} more characters)` : text
}

function answerBody(preset: SignedAccess['preset'], ask: Ask, text: string): Readonly<Record<string, string>> {
	if (ask.kind === 'echo') return ask.text === '' ? {} : {challenge: ask.text}
	// Otherwise a name may be a link.
	if (preset === 'slack') return {response_type: 'ephemeral', text: text.replaceAll(/[&<>]/g, sign => `&${slackNames[sign]};`)}
	return preset === 'teams' ? {type: 'message', text} : {text}
}

const slackNames: Readonly<Record<string, string>> = {'&': 'amp', '<': 'lt', '>': 'gt'}

const helpText = 'Write: who HASH · isolate COMPUTER (someone in Cordon approves first) · note WORDS · playbook NAME variable=value.'

/** Whether a request has a valid signature, is fresh, and is the first of its kind. */
type SignedAccess = Extract<Access, {kind: 'hmac'}>

/** Lifetime of a signed request, whatever the route's access check allows. */
const freshS = 300
/** How long a message may be repeated: longer than senders try. */
const repeatedS = 7 * 86_400

/** Answered requests; stored beyond the process. */
type Nonces = ReturnType<typeof openNonces>

function openNonces(path: string) {
	const tables = 'CREATE TABLE seen (nonce TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;'
	const database = openCacheFile({path, schemaVersion: 1, tables, tune: ''})
	return {
		/** `false`: already seen. */
		add: (nonce: string, now: number, lifeS = 2 * freshS) =>
			database.transaction(
				() => {
					database.run('DELETE FROM seen WHERE until < ?', now)
					const until = now + lifeS * 1000
					return database.run('INSERT OR IGNORE INTO seen VALUES (?, ?)', nonce, until).changes === 1
				},
				{durable: true}
			),
		has: (nonce: string) => database.get('SELECT 1 FROM seen WHERE nonce = ?', nonce) !== undefined,
		close: () => database.close()
	}
}

/** `null`: accepted. */
function refusalOf({access, nonces, clock}: Answering, key: string, fields: readonly string[], body: Buffer) {
	const {preset, toleranceS} = access
	const now = clock.now()
	if (preset === 'github') return 'GitHub signs no time, so that a request could be sent again.'
	const rule = {kind: 'hmac', preset, toleranceS, key} as const
	const claim = claimOf(rule, fields)
	if (claim === null || claim === 'malformed') return 'The request is not signed.'
	if (signatureIn(rule, claim, body) === undefined) return 'The signature is wrong.'
	const seconds = claim.time ?? secondsIn(body)
	if (seconds === null) return 'The request has no signed time.'
	if (Math.abs(now / 1000 - seconds) > Math.min(toleranceS, freshS)) return 'The signed time is too far from the time here.'
	// All signed data is in the body or before it.
	const nonce = hash('sha256', Buffer.concat([Buffer.from(claim.prefix), body]), 'hex')
	return nonces.add(nonce, now) ? null : 'This signed request was made before.'
}

/** Teams signs only the body, which contains its time. */
function secondsIn(body: Buffer) {
	try {
		const {timestamp} = JSON.parse(body.toString('utf8')) as {timestamp?: unknown}
		const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
		return Number.isNaN(ms) ? null : ms / 1000
	} catch {
		return null
	}
}
