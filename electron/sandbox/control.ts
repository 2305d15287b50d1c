import {z} from 'zod'

import {Refusal, type Answer} from './answer.ts'
import {somebodyElse} from './audit-log.ts'
import {sameSecret} from './auth.ts'
import type {Quota} from './quota.ts'
import {parsedJson, type Call} from './call.ts'
import {changeIsolation, statusShown} from './isolation-machine.ts'
import {holdPolicy} from './policy-hold.ts'
import type {RequestLog} from './request-log.ts'
import {isolatedChange, movedChange} from './tenant/audit.ts'
import type {Host} from './tenant/host.ts'
import type {Weather} from './weather.ts'
import {hostOf, type World} from './world.ts'

/** Handles a call under `/sandbox`: the token of the header `X-Sandbox-Control` and the body as text. */
export type Control = (call: Call, token: string, body: string) => Answer

interface ControlDeps {
	token: string
	world: World
	weather: Weather
	quota: Quota
	log: RequestLog
}

type Handler = (deps: ControlDeps, call: Call, body: unknown) => unknown

const handlers: Readonly<Record<string, Handler>> = {
	'GET weather': ({weather}) => ({rules: weather.list()}),
	'PUT weather': ({weather}, _call, body) => setWeather(weather, body),
	'DELETE weather': ({weather}) => setWeather(weather, {rules: []}),
	'GET requests': ({log}) => requestsSeen(log),
	'DELETE requests': ({log}) => (log.clear(), requestsSeen(log)),
	'POST agent': answerNow,
	'POST quota': ({quota}) => (quota.renew(), {}),
	'GET story': ({world}) => storyTold(world),
	'GET computers': ({world}, call) => glimpse(world, hostOf(world, call.segments[2] ?? ''), call.now),
	'POST computers': changeComputer
}

/** The calls that control weather, agents and other users. They cost no API limit and meet no weather. */
export function createControl(deps: ControlDeps): Control {
	return (call, token, body) => {
		if (!sameSecret(token, deps.token)) throw new Refusal(401, 'The header X-Sandbox-Control is missing or wrong')
		const handler = handlers[`${call.method} ${call.segments[1] ?? ''}`]
		if (handler === undefined) throw new Refusal(404, 'No such control call')
		deps.world.settle(call.now)
		return {status: 200, body: handler(deps, call, body === '' ? {} : parsedJson(body))}
	}
}

const weatherBody = z.object({rules: z.array(z.string())})

function setWeather(weather: Weather, body: unknown): unknown {
	try {
		weather.set(checked(weatherBody, body).rules)
	} catch (error) {
		if (error instanceof TypeError) throw new Refusal(400, error.message)
		throw error
	}
	return {rules: weather.list()}
}

function requestsSeen({records}: RequestLog): unknown {
	const counts: Record<string, number> = {}
	for (const {method, path} of records) {
		const name = `${method} ${path.replace(/\?.*$/, '')}`
		counts[name] = (counts[name] ?? 0) + 1
	}
	return {total: records.length, counts, requests: records}
}

const agentBody = z.object({connector_guid: z.string().optional()})

function answerNow({world}: ControlDeps, call: Call, body: unknown): unknown {
	const {connector_guid} = checked(agentBody, body)
	const host = connector_guid === undefined ? undefined : hostOf(world, connector_guid)
	world.agents.answerNow(call.now, host)
	return host === undefined ? {} : glimpse(world, host, call.now)
}

/** The computers of the attack and their connections. */
function storyTold(world: World): unknown {
	const {indicators, activities} = world.tenant.story
	const indexes = new Set(activities.map(({host}) => host))
	const computers = world.fleet.hosts().filter(({index}) => indexes.has(index))
	return {indicators, computers: computers.map(({guid, hostname}) => ({connector_guid: guid, hostname}))}
}

const computerBody = z.strictObject({
	online: z.boolean().optional(),
	isolation: z.enum(['not_isolated', 'pending_start', 'isolated', 'pending_stop']).optional(),
	isolated_by: z.string().optional(),
	unlock_code: z.string().optional(),
	available: z.boolean().optional(),
	group_guid: z.string().optional(),
	/** The connector reports failure on its next isolation request. */
	fails_next: z.boolean().optional(),
	/** Deleted by another user. */
	removed: z.boolean().optional()
})

/** Another user, or the computer itself, changes a computer. */
function changeComputer({world}: ControlDeps, call: Call, body: unknown): unknown {
	const host = hostOf(world, call.segments[2] ?? '')
	const change = checked(computerBody, body)
	if (change.online !== undefined) setOnline(world, host, change.online, call.now)
	if (change.available !== undefined) world.fleet.change(host, {available: change.available})
	if (change.fails_next !== undefined) world.fleet.change(host, {failsNext: change.fails_next})
	if (change.group_guid !== undefined) moveByOther(world, host, change.group_guid, call.now)
	if (change.isolation !== undefined) {
		const by = change.isolation === 'not_isolated' ? undefined : (change.isolated_by ?? 'Someone else')
		const before = world.fleet.isolation(host)
		const unlockCode = change.unlock_code ?? before.unlockCode ?? 'abcdef'
		const isIsolated = change.isolation === 'pending_start' || change.isolation === 'isolated'
		world.audit.add(call.now, by ?? somebodyElse, isolatedChange(host, isIsolated, before.comment, unlockCode))
		changeIsolation(world, host, {...before, status: change.isolation, by, unlockCode, since: call.now, lingersUntil: 0})
	}
	if (change.removed !== undefined) removeByOther(world, host, change.removed, call.now)
	return glimpse(world, host, call.now)
}

function setOnline(world: World, host: Host, online: boolean, now: number) {
	world.fleet.change(host, {online, switchedAt: now})
	world.agents.connected(host, online, now)
}

function moveByOther(world: World, host: Host, guid: string, now: number) {
	const group = world.directory.findGroup(guid)
	if (group === undefined) throw new Refusal(404, `Group not found for given guid: ${guid}`)
	world.audit.add(now, somebodyElse, movedChange(host, world.fleet.group(host), group))
	holdPolicy(world, [host], now, () => world.fleet.change(host, {group}))
}

function removeByOther({audit, fleet}: World, host: Host, removed: boolean, now: number) {
	const {guid, hostname} = host
	const old = {hostname, connector_guid: guid}
	if (removed) audit.add(now, somebodyElse, {event: 'delete', type: 'Computer', id: guid, old, new: {}})
	fleet.change(host, {removed})
}

function glimpse(world: World, host: Host, now: number): unknown {
	const {guid, hostname} = host
	const isolation = {available: world.fleet.available(host), status: statusShown(world.fleet.isolation(host), now)}
	return {connector_guid: guid, hostname, online: world.fleet.online(host), removed: world.fleet.state(host).removed === true, isolation}
}

function checked<T>(schema: z.ZodType<T>, body: unknown) {
	const result = schema.safeParse(body)
	if (!result.success) throw new Refusal(400, z.prettifyError(result.error))
	return result.data
}
