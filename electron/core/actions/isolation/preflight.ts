/** Checks before an isolation or a release: whether it is possible, its warnings, and its cost. */
import type {Preflight} from '#contract/contract.ts'
import {CordonError, hasCode, reportError} from '#contract/errors.ts'
import type {ComputerRow} from '#model/computer.ts'
import type {Isolation} from '#model/isolation.ts'
import {byWords, plainState, reachWords} from '#text/isolation.ts'

import {getComputer} from '#core/service/api/endpoints/computers.ts'
import {getIsolation, getIsolationMethods} from '#core/service/api/endpoints/isolation.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Clock} from '#base/ports.ts'
import {redactText} from '#base/redact.ts'
import {isolateWarnings, releaseWarnings} from './warnings.ts'

interface PreflightServices {
	client: ApiClient
	inventory: Pick<Inventory, 'row' | 'record' | 'observe' | 'observeIsolation'>
	clock: Clock
	/** The computer's policy in local data; `null` where that was not loaded. */
	policyOf: (row: ComputerRow) => {name: string; allowed: readonly string[] | null} | null
}

interface PreflightRequest {
	guid: string
	action: 'isolate' | 'release'
	signal?: AbortSignal | undefined
}

/** The change, and about eight reads until the agent has answered. */
const pollingCalls = 8

/** Rejects with `not_found` when the service has no such computer; other failures are in `problem`. */
export async function preflight(services: PreflightServices, request: PreflightRequest): Promise<Preflight> {
	const {guid, action} = request
	const options = optionsFor(request)
	const [state, methods] = await Promise.all([readState(services, guid, options), readMethods(services, guid, options)])
	const row = services.inventory.row(guid) ?? (await readRow(services, guid, options))
	const [known, failure] = state instanceof CordonError ? [null, state] : [state]
	const now = services.clock.now()
	return {
		row,
		state: known && shownState(known),
		...verdict(action, {state: known, methods}, failure),
		...(failure !== undefined && {failure: reportError(failure)}),
		reach: action === 'isolate' ? reachWords(services.policyOf(row)) : '',
		warnings: action === 'isolate' ? isolateWarnings(row, now) : releaseWarnings(row, now),
		calls: 1 + pollingCalls
	}
}

/** A dialog waits for this, so at most a few seconds. */
function optionsFor({action, signal}: PreflightRequest): CallOptions {
	const purpose = action === 'release' ? 'release' : 'interactive'
	return {signal, purpose, deadlineMs: 20_000, maxQuotaWaitMs: 5000}
}

/** The operator may have typed the code into the comment. */
function shownState(state: Isolation) {
	const {available, status, isolated_by: by, comment, unlock_code: code} = state
	return {available, status, isolatedBy: by ?? null, comment: redactText(comment ?? '', [code ?? '']) || null}
}

async function readRow(services: PreflightServices, guid: string, options: CallOptions) {
	const answer = await getComputer(services.client, {connector_guid: guid}, options)
	services.inventory.observe([answer.data], askedAt(answer))
	const row = services.inventory.row(guid)
	if (row === undefined) throw new CordonError('storage', 'Local data could not store the computer.')
	return row
}

interface Facts {
	state: Isolation | null
	/** The methods that OPTIONS allowed, or why there are none. */
	methods: readonly string[] | CordonError
}

type Verdict = Pick<Preflight, 'allowed' | 'problem'>

/** Pure: whether GET and OPTIONS allow the action now. */
export function verdict(action: 'isolate' | 'release', {state, methods}: Facts, failure?: CordonError): Verdict {
	if (state === null) return {allowed: 'unknown', problem: failure?.message ?? 'Could not load the state.'}
	if (action === 'release') return releaseVerdict(state)
	if (state.status !== 'not_isolated') return no(`It is already ${plainState(state.status)}${byWords(state.isolated_by)}.`)
	const forbidden = hasCode(methods, 'isolation_not_allowed')
	if (!state.available || forbidden) return no('Isolation is not allowed by its policy, or not supported by its system.')
	if (methods instanceof CordonError) return {allowed: 'yes', problem: null}
	return methods.length === 0 || methods.includes('PUT')
		? {allowed: 'yes', problem: null}
		: no('The service does not offer isolation for it now.')
}

function releaseVerdict(state: Isolation): Verdict {
	if (state.status === 'isolated') return {allowed: 'yes', problem: null}
	if (state.status === 'pending_start')
		return {allowed: 'yes', problem: 'It is still starting isolation; the service may refuse the release until its agent has answered.'}
	return no(state.status === 'not_isolated' ? 'It is not isolated: there is nothing to release.' : `It is ${plainState(state.status)} already.`)
}

function no(problem: string): Verdict {
	return {allowed: 'no', problem}
}

async function readState(services: PreflightServices, guid: string, options: CallOptions) {
	try {
		const answer = await getIsolation(services.client, {connector_guid: guid}, options)
		services.inventory.observeIsolation(guid, answer.data, askedAt(answer))
		return answer.data
	} catch (error) {
		return asCordon(error)
	}
}

async function readMethods(services: PreflightServices, guid: string, options: CallOptions) {
	try {
		return (await getIsolationMethods(services.client, {connector_guid: guid}, options)).data
	} catch (error) {
		return asCordon(error)
	}
}

/** Cancelling ends the preflight; every other failure is one of its findings. */
function asCordon(error: unknown) {
	if (error instanceof CordonError && error.code !== 'cancelled') return error
	throw error
}
