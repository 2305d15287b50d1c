/** Periodic checks of an instance. */
import {request} from 'node:http'
import {connect} from 'node:net'

import type {Instance, InstanceDefinition} from '#model/instance.ts'
import {addressesOf, isOpenToNetwork} from './listening.ts'
import type {Parts} from './unit-parts.ts'

/** Between checks: during the start, and for port checks. */
const lookMs = {starting: 250, port: 10_000}

/** Checks it until the signal is aborted. */
export async function watch(deps: Parts, signal: AbortSignal) {
	const {health, clock} = deps
	while (!signal.aborted) {
		await look(deps, signal)
		if (signal.aborted) return
		const {intervalS} = deps.instance.healthCheck
		const steady = intervalS === 0 ? lookMs.port : intervalS * 1000
		const pause = health.get().state === 'starting' ? Math.min(lookMs.starting, steady) : steady
		await clock.sleep(pause, signal).catch(() => {})
	}
}

export async function look(deps: Parts, signal: AbortSignal | undefined) {
	const {program, builtin, instance} = deps
	const [reason, isOpen] = await Promise.all([lookAt(instance, signal), isOpenToNetwork(instance.listenPort)])
	if (signal?.aborted === true || deps.program !== program || deps.builtin !== builtin) return
	deps.isOpen = isOpen
	deps.health.looked(reason, remarkOf(deps))
}

/** It serves its last list: that is healthy, but needs an operator's decision. */
function remarkOf({builtin}: Parts) {
	const held = builtin?.listStatus()?.heldBack ?? null
	if (held === null) return null
	return `A list of ${held.entries} values is held back, as it would lose ${held.lost}: publish it if that is right.`
}

/** Milliseconds of real time until an answer has to begin. */
const patienceMs = 5000

/** `null` when healthy, else why not, in a sentence. */
function lookAt({host, listenPort, healthCheck, certificate}: Instance, signal?: AbortSignal) {
	const late = AbortSignal.timeout(patienceMs)
	const either = signal === undefined ? late : AbortSignal.any([signal, late])
	// One that uses HTTPS itself: only the port is checked.
	if (healthCheck.intervalS === 0 || certificate !== '') return knock(host, listenPort, either)
	return ask(host, listenPort, healthCheck, either)
}

function knock(host: string, port: number, signal: AbortSignal): Promise<string | null> {
	return new Promise(resolve => {
		const socket = connect({host, port, signal}, () => resolve(null))
		socket.on('connect', () => socket.destroy())
		socket.on('error', error => resolve(reasonOf(error, host, port)))
	})
}

function ask(host: string, port: number, {path, expect}: InstanceDefinition['healthCheck'], signal: AbortSignal): Promise<string | null> {
	return new Promise(resolve => {
		const headers = {'User-Agent': 'Cordon-health', Accept: '*/*', Connection: 'close'}
		// Encodes bytes not allowed in a request line; keeps encoded ones.
		const target = encodeURI(path.toWellFormed()).replaceAll('%25', '%')
		const asked = request({host, port, path: target, headers, agent: false, signal})
		asked.on('response', response => {
			// The head is enough: a body may never end.
			response.destroy()
			resolve(judge(response.statusCode ?? 0, expect))
		})
		asked.on('error', error => resolve(reasonOf(error, host, port)))
		asked.end()
	})
}

function judge(status: number, expect: readonly number[]) {
	const good = expect.length === 0 ? status < 500 : expect.includes(status)
	if (good) return null
	return `It answers ${status}, where ${expect.length === 0 ? 'less than 500' : expect.join(' or ')} is expected.`
}

async function reasonOf(error: Error, host: string, port: number) {
	if (error.name === 'AbortError' || error.name === 'TimeoutError') return `It does not answer within ${patienceMs / 1000} s.`
	const code = 'code' in error ? error.code : undefined
	if (code === 'ECONNREFUSED') {
		// It may have begun to listen here since.
		const elsewhere = (await addressesOf(port)).filter(address => ![host, '0.0.0.0', '::'].includes(address)).join(' and ')
		return elsewhere === '' ? `Nothing listens on port ${port}.` : `It listens on ${elsewhere} alone: let it listen on ${host}.`
	}
	if (code === 'ECONNRESET') return 'It closes the connection without an answer.'
	return `It cannot be asked: ${error.message}.`
}
