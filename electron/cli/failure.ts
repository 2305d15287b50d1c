import {exitCodeOf, reportError, type ErrorReport} from '#contract/errors.ts'
import type {ObservedState} from '#model/job.ts'
import {showUnseenInJson} from '#text/foreign.ts'

import type {Output} from './output.ts'

export function reportFailure(error: unknown, output: Output) {
	const {gone} = output
	const told = reportError(error)
	const report = gone.aborted && told.code === 'cancelled' ? reportError(gone.reason) : told
	// A pipe's reader that closes early is no failure; what fails beside it is.
	if (gone.aborted && report.code === 'cancelled') return 0
	if (output.mode === 'json' && !gone.aborted) output.json({ok: false, error: printed(report)})
	else if (output.mode !== 'text') output.say(showUnseenInJson(JSON.stringify({ok: false, error: printed(report)})))
	else output.say([sentence(report), ...driftLines(report)].join('\n'))
	return exitCodeOf(report.code)
}

/** `code`, `message`, `field` and `retry` are always there; other facts where they are known. */
export function printed({code, message, field, retry, ...facts}: ErrorReport): Readonly<Record<string, unknown>> {
	return {code, message, field: field ?? null, retry, ...facts}
}

const mostDrift = 20

function driftLines({drift = []}: ErrorReport) {
	const lines = drift.slice(0, mostDrift).map(({label, planned, found}) => `  ${label}: ${stateText(planned)} before, ${stateText(found)} now`)
	return drift.length <= mostDrift ? lines : [...lines, `  and ${drift.length - mostDrift} more; --json has all of them`]
}

function stateText(state: ObservedState | null) {
	if (state === null) return 'not there'
	return Object.entries(state)
		.map(([name, value]) => `${name}: ${String(value ?? 'none')}`)
		.join(', ')
}

function sentence(report: ErrorReport) {
	const fix = report.fix !== undefined && !report.message.includes(report.fix) ? ` ${report.fix}` : ''
	const request = report.requestId === undefined || report.message.includes(report.requestId) ? '' : ` (request ${report.requestId})`
	return `cordon: ${report.message}${fix}${request}`
}
