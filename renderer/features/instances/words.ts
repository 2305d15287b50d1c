import type {CertificateStatus, ForwarderStatus, InstanceRow, RequestEntry} from '#contract/instances.ts'
import type {AccessKind, InstanceState, Program} from '#model/instance.ts'
import {exposeAll, exposeKey, type Exposure} from '#model/server-parameter.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {look} from '#ui/look.ts'
import type {Look, Tone} from '#ui/Tag.tsx'

export const stateLooks: Readonly<Record<InstanceState, Look>> = {
	disabled: look('∅', 'disabled', 'plain'),
	starting: look('◔', 'starting', 'accent'),
	healthy: look('●', 'healthy', 'ok'),
	unhealthy: look('▲', 'unhealthy', 'bad'),
	stopped: look('■', 'stopped', 'warn')
}

export const serverLooks: Readonly<Record<ForwarderStatus['state'], Look>> = {
	off: look('○', 'off', 'plain'),
	starting: look('◔', 'starting', 'accent'),
	running: look('●', 'running', 'ok'),
	failed: look('▲', 'failed', 'bad')
}

export const accessWords: Readonly<Record<AccessKind, string>> = {
	none: 'none',
	basic: 'basic',
	bearer: 'bearer token',
	hmac: 'signed body',
	certificate: 'client certificate'
}

const builtinWords = {list: 'list service', indicators: 'indicator export', webhook: 'webhook'} as const

export function kindWords(program: Program) {
	return program.kind === 'builtin' ? builtinWords[program.builtin.service] : program.kind
}

/** Origin of the exposure: `override`, `default` or `nothing set`. */
export function exposureSource({key}: Exposure) {
	if (key === null) return 'nothing set'
	return key === exposeAll ? 'default' : 'override'
}

/** The deciding parameter, or the one that would decide, in a sentence. */
export function exposureSentence(exposure: Exposure, name: string) {
	const value = String(exposure.exposed)
	if (exposure.key === null) return `Not exposed: neither ${exposeKey(name)} nor ${exposeAll} is set.`
	if (exposure.key === exposeAll) return `The default ${exposeAll} is ${value}. There is no override.`
	return `The override ${exposure.key} is ${value}.`
}

/** The route's address for clients; only the path while the server has none. */
export function routeUrl(server: ForwarderStatus, row: InstanceRow) {
	return `${server.origins[0] ?? ''}${row.route}`
}

/** A row in words, for announcements. */
export function describeRow({instance, health, exposure, traffic, warnings}: InstanceRow) {
	const reason = health.reason === null ? '' : ` (${health.reason})`
	const parts = [
		`${instance.name}, ${stateLooks[health.state].word}${reason}`,
		`${exposure.exposed ? 'exposed' : 'not exposed'}, ${exposureSource(exposure)}`,
		`access: ${accessWords[instance.access.kind]}`,
		`${formatCount(traffic.failures)} errors`,
		...warnings
	]
	return parts.join('; ')
}

export const endWords: Readonly<Record<RequestEntry['endedBy'], string>> = {
	done: 'done',
	client: 'client',
	instance: 'instance',
	cordon: 'Cordon'
}

/** The source of an answer, if not the instance. */
export const sourceWords: Readonly<Record<RequestEntry['source'], string>> = {instance: '', stale: 'stale', shared: 'shared', cordon: 'Cordon'}

/** `0`, `0.3`, `12`, `1,240`. */
export function formatRate(perSecond: number) {
	if (perSecond > 0 && perSecond < 10) return perSecond < 0.05 ? '<0.1' : perSecond.toFixed(1).replace(/\.0$/, '')
	return formatCount(Math.round(perSecond))
}

/** Days until a certificate expires, and the urgency. */
export function expiryOf({notAfter}: CertificateStatus, now: number): {text: string; tone: Tone} {
	const days = Math.floor((Date.parse(notAfter) - now) / 86_400_000)
	if (days < 0) return {text: 'expired', tone: 'bad'}
	return {text: days === 1 ? 'expires in 1 day' : `expires in ${days} days`, tone: days < 14 ? 'warn' : 'plain'}
}

/** `3 requests, 1 error`. */
export function trafficWords({total, failures}: Pick<InstanceRow['traffic'], 'total' | 'failures'>) {
	const requests = `${counted(total, nouns.request)}`
	return `${requests}, ${counted(failures, nouns.error)}`
}
