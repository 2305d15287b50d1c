import type {Clock} from '#base/ports.ts'
import {CordonError, hasCode, messageWithFix, reportError, invalidArgument} from '#contract/errors.ts'
import {type Connection, type ConnectionInput, type TestResult, type TestStage, testStages, testStageTitles} from '#model/connection.ts'
import type {QuotaState} from '#model/frame.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {formatCount} from '#text/numbers.ts'
import {wayTo} from '../api/proxy.ts'
import {transportFailure} from '../api/transport-errors.ts'
import type {ApiClient, QuotaLedger, ClientOptions, OwnProxy} from '../api/types.ts'
import {bareHost} from '../api/url.ts'
import {checkAddress} from './input.ts'
import {certificatesIn, checkAuthorities, checkLogin, checkProxy, loginText} from './network-input.ts'
import type {Handshake, Probe, Way} from './probe.ts'
import {keyAgainBecause} from './trust-change.ts'

type Verdict = Omit<TestResult, 'stage'>

const dayMs = 86_400_000
const expiresSoonMs = 14 * dayMs
/** The service's own times are whole seconds; a difference below this confuses nobody. */
const toleratedSkewMs = 30_000

function judgeCertificate({certificate, problem}: Handshake, insecure: boolean, now: number): Verdict {
	const facts = `for ${certificate.subject}, issued by ${certificate.issuer}, valid until ${certificate.validTo}`
	if (problem !== null && !insecure) return {verdict: 'failed', message: problem, certificate}
	if (problem !== null)
		return {verdict: 'warning', message: `${problem} Cordon accepts it, because this connection trusts any certificate.`, certificate}
	if (insecure) return {verdict: 'warning', message: `The certificate is trusted (${facts}); "Trust any certificate" is not needed.`, certificate}
	const left = Date.parse(certificate.validTo) - now
	if (left < expiresSoonMs) return {verdict: 'warning', message: `The certificate is trusted, but ends soon: ${facts}.`, certificate}
	return {verdict: 'ok', message: `The certificate is trusted: ${facts}.`, certificate}
}

/** `GET /v1/version` answers `{"version":"v1.2.0",…}` (API reference, "Version"). */
function judgeVersion(body: unknown): Verdict {
	const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
	if (typeof version !== 'string')
		return {verdict: 'failed', message: 'The server at this address is not the service: it reports no API version.'}
	if (/^v?1(?:\.|$)/.test(version)) return {verdict: 'ok', message: `The service supports API ${version}.`}
	return {verdict: 'failed', message: `The service supports API ${version}. Cordon needs v1.`}
}

/**
 * Nothing that only reads tells whether a key may write, and a change is no test. That it reads was seen: the version is
 * told to known keys alone.
 */
function judgeScope(readOnly: boolean): Verdict {
	if (readOnly) return {verdict: 'ok', message: 'The key reads, and this connection does nothing else.'}
	return {verdict: 'ok', message: 'Read access confirmed; write access untested.'}
}

/** Positive when this computer is ahead; milliseconds. */
function judgeClock(skewMs: number | null): Verdict {
	if (skewMs === null) return {verdict: 'warning', message: 'The service did not tell its time, so the clocks cannot be compared.'}
	const seconds = Math.trunc(Math.abs(skewMs) / 1000)
	if (Math.abs(skewMs) <= toleratedSkewMs)
		return {verdict: 'ok', message: seconds === 0 ? 'The clocks agree.' : `The clocks agree to within ${seconds} s.`}
	return {verdict: 'warning', message: `This computer's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service's.`}
}

function judgeQuota(quota: QuotaState | null): Verdict {
	if (quota === null) return {verdict: 'warning', message: 'The service did not tell how many calls are left.'}
	const {remaining, limit, resetAt, reserve} = quota
	const [left, of] = [remaining, limit].map(formatCount)
	const message = `${left} of ${of} calls are left until ${resetAt.slice(11, 16)} UTC.`
	if (remaining > reserve) return {verdict: 'ok', message}
	return {verdict: 'warning', message: `${message} Only releases are sent until then.`}
}

interface TestServices {
	clock: Clock
	probe: Probe
	proxyEnvironment: Readonly<Record<string, string | undefined>>
	userAgent: string
	/** Where stored keys are, for people. */
	keptIn: () => string
	createClient: (options: ClientOptions) => ApiClient
}

/** What is tested: a stored connection, what is being typed, or the one with changes of the other. */
export interface TestSubject {
	readonly stored: Connection | undefined
	readonly draft: Partial<ConnectionInput>
	/** The stored key; never asked for when the draft leads to another server. */
	readonly keyOf: (connection: Connection) => Promise<string>
	/** The stored credentials of its proxy; never asked for when the draft names another proxy. */
	readonly loginOf: (connection: Connection) => Promise<string | undefined>
	/** The quota that the calls count against, when they go to the stored server. */
	readonly ledger: (sameServer: boolean) => QuotaLedger
	/** Throws when an administrator allows no such way. */
	readonly admit?: (way: Pick<Connection, 'url' | 'insecure'>) => void
}

/** Reads only, so that a test never depends on the reserve; a test that takes longer tells nothing new. */
const patience = {deadlineMs: 20_000, maxQuotaWaitMs: 1_000} as const

function about(field: string, error: unknown) {
	if (!(error instanceof CordonError)) return error
	return new CordonError(error.code, error.message, {...error.details, field}, {cause: error})
}

/** One result per stage as it is known; after a stage that failed the others are skipped. */
export async function* testConnection(services: TestServices, subject: TestSubject, signal: AbortSignal): AsyncGenerator<TestResult, void> {
	const run = new TestRun(services, subject, signal)
	const fault = run.fault()
	let failed: TestStage | undefined
	const judge = (stage: TestStage) => {
		if (failed !== undefined) return skipped(`an earlier step failed: ${testStageTitles[failed]}`)
		if (stage === fault?.stage) return fault.verdict
		if (fault === undefined || stage === 'url') return run.attempt(stage)
		return skipped(`what is entered for a later step cannot be used: ${testStageTitles[fault.stage]}`)
	}
	try {
		for (const stage of testStages) {
			const verdict = await judge(stage)
			if (verdict.verdict === 'failed') failed = stage
			yield {stage, ...verdict}
		}
	} finally {
		await run.end()
	}
}

function skipped(because: string): Verdict {
	return {verdict: 'skipped', message: `Skipped, because ${because}.`}
}

/** The step that would use what is entered there; the address, unless it is said here. */
const stageOfField: Readonly<Record<string, TestStage>> = {proxy: 'tcp', proxyLogin: 'tcp', ca: 'tls', insecure: 'tls'}

function failedBy(error: unknown): Verdict {
	const {code, field} = reportError(error)
	return {verdict: 'failed', message: messageWithFix(error), fault: {...omitUndefined({field}), code}}
}

type Settings = Pick<Connection, 'url' | 'insecure' | 'proxy' | 'ca'>

/** What one stage learns and a later one needs. */
class TestRun {
	readonly #services: TestServices
	readonly #subject: TestSubject
	readonly #signal: AbortSignal
	#client: ApiClient | undefined
	#refused: CordonError | undefined

	constructor(services: TestServices, subject: TestSubject, signal: AbortSignal) {
		this.#services = services
		this.#subject = subject
		this.#signal = signal
	}

	/** What is wrong with what is entered, whichever step it is for: nothing is sent anywhere before it is mended. */
	fault(): {stage: TestStage; verdict: Verdict} | undefined {
		try {
			this.#settings()
			return undefined
		} catch (error) {
			const verdict = failedBy(error)
			return {stage: stageOfField[verdict.fault?.field ?? ''] ?? 'url', verdict}
		}
	}

	/** Throws only when the test itself is stopped. */
	async attempt(stage: TestStage): Promise<Verdict> {
		try {
			return await this.#stages[stage]()
		} catch (error) {
			if (this.#signal.aborted) throw new CordonError('cancelled', undefined, {}, {cause: error})
			return failedBy(error)
		}
	}

	async end(): Promise<void> {
		await this.#client?.stop()
	}

	readonly #stages: Readonly<Record<TestStage, () => Verdict | Promise<Verdict>>> = {
		url: () => ({verdict: 'ok', message: `${this.#address()} can be used.`}),
		dns: () => this.#resolve(),
		tcp: () => this.#connect(),
		tls: () => this.#handshake(),
		version: () => this.#askVersion(),
		credentials: () => {
			if (this.#refused !== undefined) throw this.#refused
			return {verdict: 'ok', message: `The service knows this client ID and API key.${this.#keyPlace()}`}
		},
		scope: () => judgeScope(this.#subject.draft.readOnly ?? this.#subject.stored?.readOnly ?? true),
		clock: () => judgeClock(this.#client?.clockSkewMs() ?? null),
		quota: () => judgeQuota(this.#client?.quota() ?? null)
	}

	#address() {
		const {stored, draft} = this.#subject
		return checkAddress(draft.url ?? stored?.url ?? '')
	}

	/** What is stored with what is being typed, checked. */
	#settings(): Settings {
		const {stored, draft} = this.#subject
		const url = this.#address()
		const insecure = draft.insecure ?? stored?.insecure ?? false
		if (stored?.sandbox !== true) this.#subject.admit?.({url, insecure})
		const proxy = checkProxy(draft.proxy === undefined ? (stored?.proxy ?? null) : draft.proxy, url)
		if (draft.proxyLogin) checkLogin(draft.proxyLogin, proxy)
		const known = stored?.ca ?? null
		const ca = checkAuthorities(draft.ca === undefined ? known : draft.ca, this.#services.clock.now(), known)
		return {url, insecure, proxy, ca}
	}

	#way(): Way & {own: OwnProxy | undefined} {
		const {url, proxy, ca} = this.#settings()
		const server = new URL(url)
		const own = proxy === null ? undefined : {address: proxy, login: () => this.#login(proxy)}
		const extraCa = ca === null ? [] : certificatesIn(ca)
		try {
			return {server, own, proxy: wayTo(server, this.#services.proxyEnvironment, own), extraCa}
		} catch (error) {
			throw transportFailure(error, 'connecting', server).error
		}
	}

	/** What was stored for one proxy goes to no other. */
	async #login(proxy: string) {
		const {stored, draft, loginOf} = this.#subject
		if (draft.proxyLogin) return loginText(draft.proxyLogin)
		return draft.proxyLogin === null || stored?.proxy !== proxy ? undefined : loginOf(stored)
	}

	async #resolve(): Promise<Verdict> {
		const {proxy, server, own} = this.#way()
		const host = bareHost((proxy?.url ?? server).hostname)
		const addresses = await this.#services.probe.resolve(host, this.#signal).catch((error: unknown) => {
			throw proxy === null ? about('url', error) : own === undefined ? error : about('proxy', error)
		})
		const name = proxy === null ? host : `The proxy ${host}`
		return {verdict: 'ok', message: addresses.includes(host) ? `${name} is already an address.` : `${name} is ${addresses.join(', ')}.`}
	}

	async #connect(): Promise<Verdict> {
		const way = this.#way()
		const from = this.#services.clock.monotonic()
		await this.#services.probe.connect(way, this.#signal)
		const ms = Math.round(this.#services.clock.monotonic() - from)
		return {
			verdict: 'ok',
			message:
				way.proxy === null
					? `${way.server.host} accepted the connection after ${ms} ms.`
					: `The proxy ${way.proxy.url.host} leads to ${way.server.host} after ${ms} ms.`
		}
	}

	async #handshake(): Promise<Verdict> {
		const way = this.#way()
		if (way.server.protocol === 'http:') return {verdict: 'skipped', message: 'Plain HTTP within this computer has no certificate.'}
		const found = await this.#services.probe.handshake(way, this.#signal)
		return judgeCertificate(found, this.#settings().insecure, this.#services.clock.now())
	}

	async #askVersion(): Promise<Verdict> {
		this.#client = this.#services.createClient(await this.#clientOptions())
		try {
			const answer = await this.#client.call({method: 'GET', path: ['version']}, {signal: this.#signal, ...patience})
			return judgeVersion(answer.body)
		} catch (error) {
			if (!hasCode(error, 'unauthorized', 'forbidden')) throw error
			this.#refused = error
			return {verdict: 'skipped', message: 'The service does not tell its version without valid credentials.'}
		}
	}

	async #clientOptions(): Promise<ClientOptions> {
		const {stored, draft} = this.#subject
		const {clock, proxyEnvironment, userAgent} = this.#services
		const {url, insecure} = this.#settings()
		const {own, extraCa} = this.#way()
		const clientId = (draft.clientId ?? stored?.clientId ?? '').trim()
		const apiKey = await this.#key()
		return {
			...{connection: stored?.id ?? 'test', url, clientId, insecure, clock, proxyEnvironment, userAgent, extraCa},
			...(own !== undefined && {proxy: own}),
			apiKey: async () => apiKey,
			ledger: this.#subject.ledger(stored?.url === url && clientId === stored.clientId),
			mode: () => ({kind: 'read_only', because: 'connection', since: null})
		}
	}

	#keyPlace() {
		const typed = this.#subject.draft.apiKey?.trim() ?? ''
		return typed === '' ? ` The key is kept in: ${this.#services.keptIn()}.` : ''
	}

	/** The stored key goes over the way that it was entered for and over no other. */
	async #key() {
		const {stored, draft, keyOf} = this.#subject
		const typed = draft.apiKey?.trim() ?? ''
		if (typed !== '') return typed
		const again = stored === undefined ? null : keyAgainBecause(stored, this.#settings())
		if (stored !== undefined && again === null) return keyOf(stored)
		const why = again === null ? 'without it the service cannot be asked' : `the stored one is not sent, because ${again}`
		throw invalidArgument(`Enter the API key: ${why}.`, 'apiKey')
	}
}
