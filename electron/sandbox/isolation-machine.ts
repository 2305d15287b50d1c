import type {IsolationState} from './fleet.ts'
import {types} from './tenant/event-types.ts'
import type {Host} from './tenant/host.ts'
import {random} from './tenant/random.ts'
import type {World} from './world.ts'

/** Asks the connector to carry out the pending change; an answer to a superseded request is ignored. */
export function askConnector(world: World, host: Host, now: number) {
	const asked = world.fleet.state(host).isolation
	world.agents.ask(host, now, at => {
		if (world.fleet.state(host).isolation === asked) answerIsolation(world, host, at)
	})
}

/** Completes the pending change, or fails when the connector was told to. */
function answerIsolation(world: World, host: Host, at: number) {
	const state = world.fleet.isolation(host)
	const fails = world.fleet.state(host).failsNext === true
	if (state.status === 'pending_start') return fails ? failed(world, host, at, 'not_isolated') : started(world, host, at)
	if (state.status === 'pending_stop') return fails ? failed(world, host, at, 'isolated') : stopped(world, host, at)
}

/** The reported state: after DELETE it may stay `isolated` for a while. */
export function statusShown(state: IsolationState, now: number): IsolationState['status'] {
	return state.status === 'pending_stop' && now < state.lingersUntil ? 'isolated' : state.status
}

function started(world: World, host: Host, at: number) {
	changeIsolation(world, host, {...world.fleet.isolation(host), status: 'isolated', since: at})
	world.events.add(host, world.fleet.group(host), at, types.isolationStarted)
}

function stopped(world: World, host: Host, at: number) {
	const state = world.fleet.isolation(host)
	changeIsolation(world, host, {...state, status: 'not_isolated', by: undefined})
	const duration = Math.max(0, Math.round((at - state.since) / 1000))
	world.events.add(host, world.fleet.group(host), at, types.isolationStopped, {isolation: {duration}})
}

function failed(world: World, host: Host, at: number, status: IsolationState['status']) {
	world.fleet.change(host, {failsNext: false})
	changeIsolation(world, host, {...world.fleet.isolation(host), status})
	const type = status === 'isolated' ? types.isolationStopFailure : types.isolationStartFailure
	const error = {error_code: 3221225506, description: 'Access denied'}
	world.events.add(host, world.fleet.group(host), at, type, {error, isolation: {error_code: error.error_code}})
}

export function changeIsolation(world: World, host: Host, isolation: IsolationState) {
	world.fleet.change(host, {isolation})
}

/** Six lower-case letters, as the service generates them. */
export function madeCode(world: World, host: Host, now: number) {
	const die = random(world.tenant.seed, 'unlock code', host.index, now)
	return Array.from({length: 6}, () => String.fromCharCode(97 + die.int(26))).join('')
}
