import {exposureOf, hasRoute} from '#model/server-parameter.ts'

import type {ForwardedInstance} from '../types.ts'
import type {Report} from './report.ts'
import type {ExportInput, Routed} from './types.ts'

/** The instances on the route; an older name yields to an instance that has it now. */
export function routedInstances({config}: ExportInput): readonly Routed[] {
	if (!hasRoute(config.platformVersion)) return []
	const taken = new Set(config.instances.map(({name}) => name))
	return config.instances
		.filter(({name}) => exposureOf(config.parameters, name).exposed)
		.map((instance, index) => ({number: index + 1, instance, names: [instance.name, ...instance.aliases.filter(alias => !taken.has(alias))]}))
}

/** `/instance/execute/`, and its optional prefix (route description, 1.4); the groups hold no slash or question mark. */
export const prefixPattern = String.raw`^(?:/xsoar|/acc[_-][^/?]+)?/instance/execute/`

/** PEM of all authorities that instances require, once each, and whether they differ. */
export function authoritiesOf(routed: readonly Routed[]) {
	const all = routed.flatMap(({instance: {access}}) => (access.kind === 'certificate' ? [access.authorities.trim()] : []))
	const distinct = [...new Set(all)]
	return {pem: distinct.map(pem => `${pem}\n`).join(''), differ: distinct.length > 1}
}

/** Refuses everything where authorities differ: the engine knows one list of them. */
export function refusedFor(input: ExportInput, report: Report, refusal: string): readonly string[] {
	const untold = report.impossible('telling the instance whose client certificate it is')
	if (!authoritiesOf(routedInstances(input)).differ) return [untold]
	return [untold, report.impossible('authorities of client certificates that differ between instances: everything is refused'), refusal]
}

/** An IPv6 address in brackets. */
export function hostPort(host: string, port: number) {
	return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Each family by itself: `[::]` may be IPv6 alone, or show an IPv4 client as `::ffff:192.0.2.1`. */
export function listenHosts({listen: {host}}: ExportInput): readonly string[] {
	return host === '::' ? ['0.0.0.0', host] : [host]
}

/** Whether the engine must not contact it. */
export function isStopped({state}: ForwardedInstance) {
	return state === 'disabled' || state === 'stopped' || state === 'starting'
}
