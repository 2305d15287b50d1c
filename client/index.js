/** Typed client of the local API of Cordon. No dependencies. */
import {operations} from './operations.js'

export class CordonProblem extends Error {
	constructor(problem) {
		super(problem.detail)
		this.name = 'CordonProblem'
		this.problem = problem
	}
}

/** Seconds of one request: Node gives up on an answer that does not begin within 300. */
const longestWait = 240

export const isPending = answer => answer?.state === 'pending_approval'

export function createClient({token, address = 'http://127.0.0.1:4810', fetch = globalThis.fetch}) {
	const ask = async (url, {headers, ...init}) => {
		const answer = await fetch(url, {...init, headers: {authorization: `Bearer ${token}`, ...headers}})
		const said = exact(await answer.text())
		if (!answer.ok) throw new CordonProblem(said)
		return {said, link: answer.headers.get('link')}
	}
	const call = async (id, {wait, ...given} = {}, options = {}) => {
		for (let left = wait; ; left -= longestWait)
			try {
				return await once(id, {...given, wait: left > longestWait ? longestWait : left}, options)
			} catch (error) {
				if (!(left > longestWait) || error.problem?.code !== 'wait_timeout') throw error
			}
	}
	const once = async (id, given, {signal, idempotencyKey = crypto.randomUUID()}) => {
		const {url, method, body} = requestOf(id, given, address)
		const headers = {
			...(method !== 'GET' && {'idempotency-key': idempotencyKey}),
			...(body !== undefined && {'content-type': 'application/json'})
		}
		return await ask(url, {method, headers, signal, body})
	}
	return {
		call: async (id, given, options) => (await call(id, given, options)).said,
		async *pages(id, given, options = {}) {
			let page = await call(id, given, options)
			for (;;) {
				yield page.said
				const next = /<([^>]+)>; rel="next"/.exec(page.link ?? '')?.[1]
				if (next === undefined) return
				page = await ask(new URL(next, address), {signal: options.signal})
			}
		},
		async decided({id}, {signal, everyMs = 5000} = {}) {
			for (;;) {
				const {said} = await call('approval', {approval: id}, {signal})
				if (!isPending(said) && said.state !== 'approved') return said
				await pause(everyMs, signal)
			}
		}
	}
}

/** Numbers beyond 2^53, such as IDs of events, become texts: JSON.parse would round them. */
function exact(text) {
	const beyond = word => /^-?\d+$/.test(word) && !Number.isSafeInteger(Number(word))
	let inText = false
	const kept = text.replaceAll(/\\.|"|-?\d[\w.+-]*/g, word => {
		if (word === '"') inText = !inText
		return !inText && beyond(word) ? `"${word}"` : word
	})
	return JSON.parse(kept)
}

function requestOf(id, given, address) {
	const [method, path, inBody] = operations[id]
	const rest = {...given}
	const target = path.replaceAll(/\{(\w+)\}/g, (_all, name) => {
		const value = rest[name]
		delete rest[name]
		return encodeURIComponent(value)
	})
	const url = new URL(`/api/v1${target}`, address)
	const body = {}
	for (const [name, value] of Object.entries(rest)) {
		if (value === undefined) continue
		if (inBody.includes(name)) body[name] = value
		else if (Array.isArray(value)) for (const one of value) url.searchParams.append(`${name}[]`, String(one))
		else url.searchParams.set(name, String(value))
	}
	return {url, method, body: Object.keys(body).length > 0 ? JSON.stringify(body) : undefined}
}

function pause(ms, signal) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms)
		signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), {once: true})
	})
}
