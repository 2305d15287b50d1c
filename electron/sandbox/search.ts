import {mentions, partOf, same} from './mentioned.ts'
import {addressOf, type Host} from './tenant/host.ts'
import {endpoints, programs, runs, talksTo} from './tenant/programs.ts'
import type {World} from './world.ts'

/** Maximum records searched by the service (API reference, 4.7). */
const searched = 5000

/**
 * Computers whose events or trajectory contain an address, hash, file name or part of a URL, in list order. Everyday activity is
 * decided from the dice of the trajectories, so both agree without generating them.
 */
export function computersWith(world: World, q: string): readonly Host[] {
	const {seedNumber} = world.tenant
	const programIndexes = programs.flatMap((program, index) => (same(program.sha256, q) || same(program.name, q) ? [index] : []))
	const endpointIndexes = endpoints.flatMap((endpoint, index) => (same(endpoint.ip, q) || partOf(endpoint.url, q) ? [index] : []))
	const recent = world.events.recent().flatMap(({block, host}) => (mentions(block, q) ? [host] : []))
	const named = new Set([...world.mentioned(q), ...recent])
	const found = world.fleet
		.hosts()
		.filter(
			host =>
				named.has(host.index) ||
				programIndexes.some(index => runs(seedNumber, host, index)) ||
				endpointIndexes.some(index => talksTo(seedNumber, host, index)) ||
				isLocalAddress(seedNumber, host, q)
		)
	return found.slice(0, searched)
}

/** Connections contain the computer's own address, except on macOS. */
function isLocalAddress(seedNumber: number, host: Host, q: string) {
	return host.platform !== 'mac' && addressOf(host) === q && endpoints.some((_, index) => talksTo(seedNumber, host, index))
}
