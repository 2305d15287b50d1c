/** What a plan stands for, as one number that changes with each of its parts. */
import {digestOfJson} from '#base/canonical.ts'
import type {JobPlan} from '#model/job.ts'

type Digested = Pick<JobPlan, 'action' | 'targets'> & {connection: {url: string}}

/**
 * SHA-256 over the service's address, the action and the targets with their observed states. It tells that a plan is the one
 * that was reviewed; it is no signature: whoever can change the file can compute it anew.
 */
export function digestOf({connection, action, targets}: Digested) {
	const what = {url: connection.url, action, targets: targets.map(({id, label, observed, note}) => ({id, label, observed, note}))}
	return digestOfJson(what)
}
