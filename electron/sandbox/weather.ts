import {random} from './tenant/random.ts'

/**
 * Failures of a response. Up to `redirect` the request is not carried out; from `errors` on it is, and only the response is
 * affected. `latency`, `skew` and `drip` combine with any other effect.
 */
export type WeatherEffect =
	| {kind: 'latency'; ms: number}
	/** The `Date` header is this many seconds ahead (negative: behind). */
	| {kind: 'skew'; seconds: number}
	/** The body is sent in twenty pieces, this many milliseconds apart. */
	| {kind: 'drip'; ms: number}
	/** 429 whose `X-RateLimit-Reset` is this many seconds. */
	| {kind: 'rate_limit'; resetSeconds: number}
	| {kind: 'status'; status: number}
	/** An HTML error page, as from a gateway. */
	| {kind: 'html'; status: number}
	/** The connection is reset before anything was done. */
	| {kind: 'reset'}
	/** No response at all. */
	| {kind: 'hang'}
	/** 302 to this address. */
	| {kind: 'redirect'; location: string}
	/** Success with a non-empty `errors`. */
	| {kind: 'errors'}
	| {kind: 'empty'}
	| {kind: 'malformed'}
	/** Half of the body that `Content-Length` promises. */
	| {kind: 'truncate'}
	/** Everything takes effect, then the connection is reset. */
	| {kind: 'drop'}

export interface WeatherRule {
	/** Method or `*`. */
	method: string
	/** Glob over the path, or over path and query when it holds a `?`; `*` matches anything, `/` included. */
	path: string
	effect: WeatherEffect
	/** Applies this many times, then no more. */
	times?: number | undefined
	/** Lets this many matching requests pass first. */
	after?: number | undefined
	/** 0 to 1, decided by a seeded die. */
	probability?: number | undefined
}

export interface WeatherControl {
	/** Replaces all rules and ends the delays that run; each is a {@link WeatherRule} or its text form (see {@link parseWeather}). */
	set(rules: readonly (WeatherRule | string)[]): void
	clear(): void
	list(): readonly WeatherRule[]
}

export interface Weather extends WeatherControl {
	/** The effects on this request, in rule order. */
	strike(method: string, path: string, search: string): readonly WeatherEffect[]
}

type Front = ReturnType<typeof frontOf>

export function createWeather(seed: string, initial: readonly (WeatherRule | string)[], changed: () => void): Weather {
	let fronts: readonly Front[] = []
	const set = (rules: readonly (WeatherRule | string)[]) => {
		fronts = rules.map((rule, index) => frontOf(typeof rule === 'string' ? parseWeather(rule) : rule, seed, index))
		changed()
	}
	set(initial)
	return {
		set,
		clear: () => set([]),
		list: () => fronts.map(front => front.rule),
		strike: (method, path, search) => fronts.filter(front => applies(front, method, path, search) && falls(front)).map(front => front.rule.effect)
	}
}

function frontOf(rule: WeatherRule, seed: string, index: number) {
	const glob = rule.path.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
	return {rule, pattern: new RegExp(`^${glob.join('.*')}$`, 's'), die: random(seed, 'weather', index).next, seen: 0, struck: 0}
}

function applies({rule, pattern}: Front, method: string, path: string, search: string) {
	if (rule.method !== '*' && rule.method !== method) return false
	return pattern.test(rule.path.includes('?') ? `${path}${search}` : path)
}

function falls(front: Front) {
	const {times, after, probability} = front.rule
	front.seen += 1
	if (front.seen <= (after ?? 0) || front.struck >= (times ?? Infinity)) return false
	if (probability !== undefined && front.die() >= probability) return false
	front.struck += 1
	return true
}

const kinds: Readonly<Record<string, (value: string) => WeatherEffect>> = {
	latency: value => ({kind: 'latency', ms: numberIn(value, 'latency')}),
	skew: value => ({kind: 'skew', seconds: numberIn(value, 'skew')}),
	drip: value => ({kind: 'drip', ms: numberIn(value, 'drip', 50)}),
	'429': value => ({kind: 'rate_limit', resetSeconds: numberIn(value, '429', 60)}),
	'500': () => ({kind: 'status', status: 500}),
	'502': () => ({kind: 'status', status: 502}),
	'503': () => ({kind: 'status', status: 503}),
	'504': () => ({kind: 'status', status: 504}),
	status: value => ({kind: 'status', status: statusIn(value, 'status')}),
	html: value => ({kind: 'html', status: statusIn(value, 'html', 502)}),
	reset: () => ({kind: 'reset'}),
	hang: () => ({kind: 'hang'}),
	redirect: value => ({kind: 'redirect', location: value}),
	errors: () => ({kind: 'errors'}),
	empty: () => ({kind: 'empty'}),
	malformed: () => ({kind: 'malformed'}),
	truncate: () => ({kind: 'truncate'}),
	drop: () => ({kind: 'drop'})
}

const weatherKinds: readonly string[] = Object.keys(kinds)

const ruleForm = new RegExp(`^(\\*|[A-Za-z]+) +(/\\S*|\\*\\S*)=(${weatherKinds.join('|')})(?::([^,\\s]*))?((?:,(?:times|after|p):[\\d.]+)*)$`)

/**
 * Reads `METHOD PATHGLOB=EFFECT[:VALUE][,times:N][,after:N][,p:PROBABILITY]`, for example
 * `GET /v1/computers*=latency:2000` or `PUT /v1/computers/*\/isolation=drop,times:1`. Throws `TypeError` with a sentence.
 */
export function parseWeather(text: string): WeatherRule {
	const match = ruleForm.exec(text.trim())
	if (match === null) {
		throw new TypeError(
			`"${text}" is not a weather. Write METHOD PATH=EFFECT[:VALUE][,times:N][,after:N][,p:0.5]; effects: ${weatherKinds.join(', ')}.`
		)
	}
	const [, method = '', path = '', kind = '', value = '', options = ''] = match
	const effect = kinds[kind]?.(value)
	if (effect === undefined) throw new TypeError(`"${kind}" is not a weather effect.`)
	return {method: method.toUpperCase(), path, effect, ...optionsIn(options)}
}

function optionsIn(text: string) {
	const pairs = text
		.split(',')
		.filter(part => part !== '')
		.map(part => part.split(':'))
	const names: Readonly<Record<string, string>> = {times: 'times', after: 'after', p: 'probability'}
	return Object.fromEntries(pairs.map(([name = '', value = '']) => [names[name], numberIn(value, name)]))
}

function numberIn(text: string, name: string, fallback?: number) {
	const number = text === '' ? fallback : Number(text)
	if (number === undefined || !Number.isFinite(number)) throw new TypeError(`The weather effect ${name} needs a number, not "${text}".`)
	return number
}

function statusIn(text: string, name: string, fallback?: number) {
	const status = numberIn(text, name, fallback)
	if (!Number.isInteger(status) || status < 200 || status > 599)
		throw new TypeError(`The weather effect ${name} needs an HTTP status of 200 to 599, not "${text}".`)
	return status
}
