/** What a service could have said of each computer at any time of a test: every change of its state, with its time. */

import type {Sandbox} from '#sandbox/server.ts'
import type {Host} from '#sandbox/tenant/host.ts'

interface State {
	status: string
	/** Until then a computer that is being released still reads as isolated; Unix milliseconds. */
	lingersUntil: number
}

interface Changed extends State {
	from: number
}

export type History = ReturnType<typeof recordStates>

/** Writes down every change from now on. */
export function recordStates({fleet}: Sandbox['world'], now: () => number) {
	const changes = new Map<string, Changed[]>()
	const note = (host: Host, from: number) => {
		const {status, lingersUntil} = fleet.isolation(host)
		const own = changes.get(host.guid) ?? []
		own.push({from, status, lingersUntil})
		changes.set(host.guid, own)
	}
	for (const host of fleet.hosts()) note(host, Number.NEGATIVE_INFINITY)
	const change = fleet.change
	fleet.change = (host, what) => {
		change(host, what)
		note(host, now())
	}
	return {
		/** All possible answers for this computer between these two moments, both included. */
		said: (guid: string, from: number, to: number) => saidBetween(changes.get(guid) ?? [], from, to)
	}
}

function saidBetween(changes: readonly Changed[], from: number, to: number) {
	const spans = changes.flatMap((one, index) => spansOf(one, changes[index + 1]?.from ?? Number.POSITIVE_INFINITY))
	return new Set(spans.filter(span => span.from <= to && span.to >= from).map(({status}) => status))
}

function spansOf({from, status, lingersUntil}: Changed, to: number) {
	if (status !== 'pending_stop' || lingersUntil <= from) return [{from, to, status}]
	return [{from, to: Math.min(to, lingersUntil), status: 'isolated'}, ...(lingersUntil > to ? [] : [{from: lingersUntil, to, status}])]
}
