/** What a plan stands for, as one number that changes with each of its parts. */
import {createHash} from 'node:crypto'

import type {JobPlan} from '#shared/model/job.ts'

type Digested = Pick<JobPlan, 'action' | 'targets'> & {readonly connection: {readonly url: string}}

/**
 * SHA-256 over the service's address, the action and the targets with their observed states. It tells that a plan is the one
 * that was reviewed; it is no signature: whoever can change the file can compute it anew.
 */
export function digestOf({connection, action, targets}: Digested): string {
	const what = {url: connection.url, action, targets: targets.map(({id, label, observed, note}) => ({id, label, observed, note}))}
	return createHash('sha256').update(canonicalJson(what)).digest('hex')
}

/** JSON with the keys of every object in the order of their code units, as in RFC 8785; numbers here are integers. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
	if (typeof value !== 'object' || value === null) return JSON.stringify(value)
	const entries = Object.entries(value)
		.filter(([, inner]) => inner !== undefined)
		.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
	return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`
}
