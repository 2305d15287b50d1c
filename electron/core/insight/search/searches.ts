/** The search of this process: local copies at once, and the last answers of the service, kept while it runs. */
import type {Clock} from '#base/ports.ts'
import {getActivity, getUserActivity} from '#core/service/api/endpoints/computers.ts'
import type {Listing} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import {createRecent, type Recent} from '#shared/recent.ts'
import {CordonError, type ErrorReport, reportError, invalidArgument} from '#contract/errors.ts'
import type {ActivityAnswer, ActivityComputer, ActivityFacts, ActivityNews} from '#contract/search.ts'
import {type ActivityKind, askableAs, type Indicator, readIndicator} from '#model/indicator.ts'
import type {ActivityItem} from '#model/trajectory.ts'
import {eventFilterOf} from './filters.ts'
import {pageSize, searchLocally} from './local.ts'
import type {SearchSources} from './types.ts'

interface SearchesOptions {
	clock: Clock
	client: (connection: string) => ApiClient
	sources: (connection: string) => SearchSources
}

/** Newest answers kept for each connection. */
const kept = 20

export function createSearches({clock, client, sources}: SearchesOptions) {
	const answers = new Map<string, Recent<Answered>>()
	const keep = (connection: string, answer: Answered) => {
		const own = answers.get(connection) ?? createRecent<Answered>(kept)
		answers.set(connection, own)
		own.set(keyOf(answer.question), answer)
	}
	const last = (connection: string, question: Question) => answers.get(connection)?.get(keyOf(question))
	return {
		/** No API call. */
		local: async (connection: string, text: string, limit: number) => searchLocally(sources(connection), text, limit),
		/** The last answer to that question; no API call. */
		asked: (connection: string, question: Question) => {
			const answer = last(connection, question)
			return answer === undefined ? null : answerOf(sources(connection), answer)
		},
		/**
		 * Queries the service, page by page; with `further` from where the last answer stopped. Cancelling keeps the pages so far.
		 */
		async *ask(connection: string, {further, ...question}: Question & {further: boolean}, signal: AbortSignal) {
			const before = further ? last(connection, question) : undefined
			const first = before ?? begin(question, clock.now())
			const own = sources(connection)
			let silent = before === undefined ? 0 : answerOf(own, before).silent
			let known = first.items.length
			let newest = first
			try {
				for await (const answer of readOn(client(connection), first, signal)) {
					newest = answer
					const news = newsOf(own, answer, known, silent)
					known = answer.items.length
					silent = news.facts.silent
					keep(connection, answer)
					yield news
				}
			} finally {
				// After a cancel the pages so far are kept, and the query can continue.
				if (newest.phase === 'reading' && newest.calls > 0) keep(connection, {...newest, phase: 'partial'})
			}
		},
		/** Drops the answers of a connection that was removed or now has another address. */
		forget: (connection: string) => void answers.delete(connection)
	}
}

function keyOf({kind, text}: Question) {
	return `${kind} ${text.trim().toLowerCase()}`
}

/** Queries the service for computers that saw something, page by page, and marks those without local events. */
export interface Question {
	text: string
	kind: ActivityKind
}

/** The service's answer so far. */
interface Answered {
	question: Question
	value: string
	eventFilter: string
	/** Unix milliseconds. */
	askedAt: number
	items: readonly ActivityItem[]
	/** Records read, duplicates included: where the next page begins. */
	read: number
	total: number | null
	calls: number
	phase: ActivityFacts['phase']
	error: ErrorReport | null
}

/** An operator is waiting; the release reserve is not used. */
const patience: CallOptions = {purpose: 'interactive', deadlineMs: 60_000, maxQuotaWaitMs: 5000}

/** Throws `invalid_argument` for what the service cannot search. */
function begin(question: Question, now: number): Answered {
	const indicator = readIndicator(question.text)
	if (indicator === null || !askableAs(indicator).includes(question.kind)) throw invalidArgument(refusal(indicator, question.kind), 'text')
	return {
		question,
		value: indicator.value,
		eventFilter: eventFilterOf(meant(indicator, question.kind)),
		askedAt: now,
		items: [],
		read: 0,
		total: null,
		calls: 0,
		phase: 'reading',
		error: null
	}
}

/** A plain word is a file in one question and a user in the other. */
function meant(indicator: Indicator, kind: ActivityKind): Indicator {
	if (kind === 'user') return {...indicator, kind: 'user'}
	return indicator.kind === 'name' || indicator.kind === 'text' ? {...indicator, kind: 'file'} : indicator
}

function refusal(indicator: Indicator | null, kind: ActivityKind) {
	if (kind === 'user') return 'The service is asked for a user by the name of the user.'
	if (indicator?.kind === 'network') return 'The service is asked for one address at a time, not for a network.'
	return 'The service is asked for an IPv4 address, a SHA-256, a file name or a URL.'
}

/** Reads to the end, yielding each page. A failure ends it with the pages so far; only the signal makes it throw. */
async function* readOn(client: ApiClient, from: Answered, signal: AbortSignal) {
	let answer: Answered = {...from, phase: 'reading', error: null}
	while (answer.phase === 'reading') {
		signal.throwIfAborted()
		try {
			answer = withPage(answer, await readPage(client, answer, signal))
		} catch (error) {
			if (signal.aborted || !(error instanceof CordonError)) throw error
			answer = {...answer, phase: 'partial', error: reportError(error)}
		}
		yield answer
	}
}

async function readPage(client: ApiClient, answer: Answered, signal: AbortSignal) {
	const ask = answer.question.kind === 'user' ? getUserActivity : getActivity
	const listing = await ask(client, {q: answer.value, limit: pageSize, offset: answer.read}, {...patience, signal})
	if (listing.error !== null) throw listing.error
	return listing
}

function withPage(answer: Answered, {records, total, pagesRead}: Listing<ActivityItem>): Answered {
	const known = new Set(answer.items.map(({connector_guid: guid}) => guid.toLowerCase()))
	const fresh = records.filter(({connector_guid: guid}) => !known.has(guid.toLowerCase()))
	const read = answer.read + records.length
	const isOver = records.length === 0 || (total === null ? records.length < pageSize : read >= total)
	return {
		...answer,
		items: [...answer.items, ...fresh],
		read,
		total: total ?? answer.total,
		calls: answer.calls + pagesRead,
		phase: isOver ? 'complete' : 'reading'
	}
}

/** Adds what local copies say about each computer now. */
function answerOf(sources: SearchSources, answered: Answered): ActivityAnswer {
	const computers = computersOf(sources, answered, answered.items)
	const silent = computers.reduce((sum, each) => sum + (each.silent ? 1 : 0), 0)
	return {...factsOf(answered, silent), computers}
}

/** The news of a page after `before` items, with the total without local events. */
function newsOf(sources: SearchSources, answered: Answered, before: number, silentBefore: number): ActivityNews {
	const fresh = computersOf(sources, answered, answered.items.slice(before))
	const silent = fresh.reduce((sum, each) => sum + (each.silent ? 1 : 0), silentBefore)
	return {facts: factsOf(answered, silent), fresh}
}

function factsOf({question, value, askedAt, phase, read, total, calls, error, eventFilter}: Answered, silent: number): ActivityFacts {
	const left = phase === 'complete' || total === null ? null : Math.max(1, Math.ceil((total - read) / pageSize))
	const facts = {value, phase, read, total, calls, error, silent, eventFilter}
	return {...question, ...facts, askedAt: new Date(askedAt).toISOString(), callsLeft: left}
}

function computersOf({inventory, events}: SearchSources, {eventFilter}: Answered, items: readonly ActivityItem[]): readonly ActivityComputer[] {
	const guids = items.map(({connector_guid: guid}) => guid)
	const telling = events.tellers(eventFilter, guids)
	return items.map(item => {
		const guid = item.connector_guid
		const row = inventory.row(guid)
		return {
			guid,
			hostname: row?.hostname ?? item.hostname ?? guid,
			group: row?.groupName ?? null,
			os: row?.os ?? '',
			lastSeen: row?.lastSeen ?? null,
			active: item.active ?? true,
			silent: !telling.has(guid.toLowerCase())
		}
	})
}
