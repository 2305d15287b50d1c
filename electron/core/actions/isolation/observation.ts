/** Whether a reading ends a request, and the log entry for it. Pure. */
import type {ComputerRow} from '#model/computer.ts'
import type {LogEntry} from '#model/incident.ts'
import {pendingTooLongMs, type IsolationGlance, releaseCommand} from '#model/isolation.ts'
import {confirmedSentence} from '#text/isolation.ts'

import type {NewEntry} from '#core/record/incidents/types.ts'
import {isOthers, receiptOf, wantedState, withoutRefused} from './receipt.ts'

type Verdict =
	| {kind: 'observed'; intent: LogEntry}
	/** It was pending and is now as before: the agent did not carry it out. */
	| {kind: 'failed'; intent: LogEntry}
	/** The service may show the old state for a while after it accepted a request. */
	| {kind: 'keep'}
	| {kind: 'done'}

export interface Followed {
	readonly waitingMs: number
	readonly wasPending: boolean
	/** Milliseconds between the first and the last reading of the unwanted state. */
	readonly unwantedForMs: number
}

/** One reading may come from a lagging part of the service; after this long it is the truth. */
const settledAfterMs = 10_000

/** `entries` are about one computer; `state` is not pending. */
export function verdictOn(entries: readonly LogEntry[], state: IsolationGlance, followed: Followed): Verdict {
	const receipt = receiptOf(withoutRefused(entries))
	const intent = entries.find(entry => entry.id === receipt?.requested.entry)
	if (receipt === null || intent === undefined || receipt.observed !== undefined) return {kind: 'done'}
	const about = entries.filter(entry => entry.about === intent.id)
	if (isOthers(intent, about)) return {kind: 'done'}
	const seen = state === 'unavailable' ? 'not_isolated' : state
	if (seen === wantedState(receipt.action)) return {kind: 'observed', intent}
	const wasPending = followed.wasPending || isPending(receipt.accepted?.state)
	if (wasPending && followed.unwantedForMs >= settledAfterMs) return {kind: 'failed', intent}
	return followed.waitingMs < pendingTooLongMs ? {kind: 'keep'} : {kind: 'done'}
}

export function isPending(state: string | undefined) {
	return state === 'pending_start' || state === 'pending_stop'
}

/** The log entry for a confirmed end, wanted or not. `row`: of isolations and releases. `now` in Unix milliseconds. */
export function observedEntry(intent: LogEntry, row: ComputerRow | null, now: number): NewEntry & {about: string} {
	const {id: about, incident, surface, command, target, connection} = intent
	const entry = {kind: 'command.observed', about, incident, surface, command, target, connection} as const
	if (row === null) return {...entry, message: `Confirmed: ${intent.message}`}
	const state = row.isolation === 'unavailable' ? 'not_isolated' : row.isolation
	return {...entry, message: observedMessage(intent, row.hostname === '' ? row.guid : row.hostname, state, now), data: {state}}
}

function observedMessage(intent: LogEntry, name: string, state: string, now: number) {
	const action = intent.command === releaseCommand ? 'release' : 'isolate'
	return confirmedSentence({name, action, state, afterMs: now - Date.parse(intent.at)})
}
