import {
	connectionInputSchema,
	directWay,
	inputTitles,
	ownEnvironmentOf,
	type Connection,
	type ConnectionInput,
	type OpeningAgreement,
	type TestResult,
	type TestStage
} from '#model/connection.ts'

/** The contents of the form. Secrets are empty unless typed. */
export interface Draft extends Omit<ConnectionInput, 'apiKey' | 'proxy' | 'proxyLogin' | 'ca'> {
	apiKey: string
	proxyKind: ProxyKind
	proxy: string
	proxyUser: string
	proxyPassword: string
	forgetLogin: boolean
	ca: string
	/** Typed for a read-only production connection that becomes read-write. */
	confirm: string
	reason: string
}

export type ProxyKind = 'system' | 'direct' | 'own'

export interface Problem {
	field: ProblemField
	message: string
}
export type ProblemField = keyof ConnectionInput | keyof OpeningAgreement

export const emptyDraft: Draft = {
	name: '',
	url: '',
	clientId: '',
	apiKey: '',
	insecure: false,
	colour: 'blue',
	environment: 'production',
	readOnly: true,
	proxyKind: 'system',
	proxy: '',
	proxyUser: '',
	proxyPassword: '',
	forgetLogin: false,
	ca: '',
	confirm: '',
	reason: ''
}

export function draftOf({name, url, clientId, insecure, colour, readOnly, environment, proxy, ca}: Connection): Draft {
	return {
		...emptyDraft,
		...{name, url, clientId, insecure, colour, readOnly},
		environment: ownEnvironmentOf(environment),
		proxyKind: proxy === null ? 'system' : proxy === directWay ? 'direct' : 'own',
		proxy: proxy === null || proxy === directWay ? '' : proxy,
		ca: ca ?? ''
	}
}

/** The input to send. Omits what was not typed, so that stored values stay. */
export function inputOf(draft: Draft): ConnectionInput {
	const {apiKey, proxyKind, proxy, proxyUser, proxyPassword, forgetLogin, ca, confirm: _c, reason: _r, ...rest} = draft
	const login = proxyUser.trim() === '' && proxyPassword === '' ? undefined : {user: proxyUser, password: proxyPassword}
	const own = proxyKind === 'own'
	return {
		...rest,
		...(apiKey !== '' && {apiKey}),
		proxy: own ? proxy : proxyKind === 'direct' ? directWay : null,
		...(own && login !== undefined ? {proxyLogin: login} : own && !forgetLogin ? {} : {proxyLogin: null}),
		ca: ca.trim() === '' ? null : ca
	}
}

/** Of an edited connection only what was changed: the rest may have been changed elsewhere since. */
export function changeOf(before: Connection, draft: Draft): Partial<ConnectionInput> {
	const old: Partial<ConnectionInput> = inputOf(draftOf(before))
	const entries = Object.entries(inputOf(draft)) as [keyof ConnectionInput, never][]
	return Object.fromEntries(entries.filter(([name, value]) => value !== old[name]))
}

/** The first problem of the input; core repeats the check, and checks the network. */
export function problemOf(draft: Draft, hasKey: boolean): Problem | null {
	const issue = connectionInputSchema.safeParse(inputOf(draft)).error?.issues[0]
	// The schema's paths are its own keys.
	if (issue !== undefined) return {field: issue.path[0] as ProblemField, message: `${inputTitles[String(issue.path[0])]} ${issue.message}.`}
	if (draft.proxyKind === 'own' && draft.proxy.trim() === '')
		return {field: 'proxy', message: 'Type the address of the proxy, such as http://proxy.example.com:8080.'}
	return draft.apiKey === '' && !hasKey ? {field: 'apiKey', message: 'Type or paste the API key: the console shows it only once.'} : null
}

/** Fields of the form that can show a problem. */
const toldAt = ['name', 'url', 'clientId', 'apiKey', 'proxy', 'proxyLogin', 'ca', 'confirm', 'reason'] as const

/** The problem in its field; `null` if it belongs to none. */
export function problemAt(field: string | undefined, message: string): Problem | null {
	const found = toldAt.find(each => each === field)
	return found === undefined ? null : {field: found, message}
}

/** The faulty field when a stage does not name it. */
const stageFields: Partial<Record<TestStage, ProblemField>> = {url: 'url', credentials: 'apiKey'}

/** A field's problem found by *Test*; other stages show theirs in their lines. */
export function problemOfTest(results: readonly TestResult[]): Problem | null {
	const failed = results.find(({verdict}) => verdict === 'failed')
	return failed === undefined ? null : problemAt(failed.fault?.field ?? stageFields[failed.stage], failed.message)
}

/** Another connection to the same service and account, whatever its name. */
export function twinOf({url, clientId}: Draft, stored: Connection | null, connections: readonly Connection[]): Connection | null {
	const address = url.trim().replace(/\/+$/, '').toLowerCase()
	const isTwin = (one: Connection) => one.url.toLowerCase() === address && one.clientId === clientId.trim()
	return connections.find(one => one.id !== stored?.id && isTwin(one)) ?? null
}

export function countCertificates(text: string) {
	return text.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0
}
