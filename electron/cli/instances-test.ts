/** Checks an instance directly: whether its port listens, and what its health check answers. */
import {request} from 'node:http'

import {messageOf} from '#contract/errors.ts'
import {holderOf} from '#gateway/instances/listening.ts'
import type {Instance, InstanceHealth} from '#model/instance.ts'

interface Health {
	healthy: boolean
	message: string
}

const patienceMs = 10_000

/**
 * `state` is what the running console recorded. A stopped process of Cordon's is not asked: another program may answer on
 * its port.
 */
export async function askHealth(instance: Instance, state: InstanceHealth, signal: AbortSignal): Promise<Health> {
	const isStopped = state.state === 'stopped' || state.state === 'disabled'
	return isStopped && instance.program.kind !== 'external' ? stopped(instance, state) : ask(instance, signal)
}

async function stopped({name, listenPort}: Instance, {state, reason}: InstanceHealth): Promise<Health> {
	const holder = await holderOf(listenPort)
	const held = holder === null ? 'Nothing listens on its port.' : `Port ${listenPort} is held by ${holder.text}.`
	// The reason may contain it already.
	const more = holder !== null && reason?.includes(held) === true ? '' : ` ${held}`
	return {healthy: false, message: `${name} is ${state}: ${reason ?? 'the reason is unknown.'}${more}`}
}

async function ask(instance: Instance, signal: AbortSignal): Promise<Health> {
	const {name, host, listenPort, healthCheck} = instance
	const at = `${host.includes(':') ? `[${host}]` : host}:${listenPort}`
	try {
		const status = await statusOf(instance, signal)
		const {expect} = healthCheck
		const healthy = expect.length === 0 ? status < 500 : expect.includes(status)
		return {healthy, message: `${name} answers at ${at} with ${status}${healthy ? '' : ', which is not what its health check expects'}.`}
	} catch (error) {
		if (signal.aborted) throw signal.reason
		return {healthy: false, message: `${name} does not answer at ${at}: ${reasonOf(error)}.`}
	}
}

function statusOf({host, listenPort, healthCheck}: Instance, signal: AbortSignal): Promise<number> {
	return new Promise((resolve, reject) => {
		const call = request({
			host,
			port: listenPort,
			path: healthCheck.path,
			agent: false,
			signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
		})
		call.on('error', reject)
		call.on('response', response => {
			response.on('error', () => {})
			response.destroy()
			resolve(response.statusCode ?? 0)
		})
		call.end()
	})
}

function reasonOf(error: unknown) {
	const code = error instanceof Error && 'code' in error ? error.code : undefined
	if (code === 'ECONNREFUSED') return 'nothing listens there'
	if (error instanceof Error && (error.name === 'TimeoutError' || code === 'ABORT_ERR')) return `no answer within ${patienceMs / 1000} s`
	return messageOf(error)
}
