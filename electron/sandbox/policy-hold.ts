import {productOf} from './directory.ts'
import {types} from './tenant/event-types.ts'
import type {Host} from './tenant/host.ts'
import {policyInForce, type World} from './world.ts'

/** Makes a change after which each computer keeps its policy until its connector has answered. */
export function holdPolicy(world: World, hosts: readonly Host[], now: number, change: () => void) {
	const before = new Map(hosts.map(host => [host, policyInForce(world, host)]))
	change()
	for (const [host, policy] of before) {
		const next = world.directory.policy(world.fleet.group(host), productOf(host)).policy
		if (next === policy) {
			if (world.fleet.state(host).heldPolicy !== undefined) world.fleet.change(host, {heldPolicy: undefined})
			continue
		}
		world.fleet.change(host, {heldPolicy: policy})
		world.agents.ask(host, now, at => fetchPolicy(world, host, at))
	}
}

function fetchPolicy(world: World, host: Host, at: number) {
	if (world.fleet.state(host).heldPolicy === undefined) return
	world.fleet.change(host, {heldPolicy: undefined})
	world.events.add(host, world.fleet.group(host), at, types.policyUpdate)
}
