/** `cordon undo …`: the same undo history as in the console. */
import type {Jobs} from '#core/work/jobs/jobs.ts'
import type {UndoList} from '#core/work/undo/types.ts'
import {openUndo} from '#core/work/undo/undo.ts'
import type {JobSummary} from '#model/job.ts'
import type {UndoItem, UndoPreview} from '#model/undo-list.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {storedConnection} from './choose-connection.ts'
import {attended} from './host.ts'
import {withJobs} from './job-session.ts'
import {summaryText} from './job-text.ts'
import {exitOf} from './job.ts'
import {printObject, printRows, printTable} from './result.ts'
import {inSession, type SubCall} from './session.ts'
import {incidentIn} from './globals.ts'
import {seconds} from './terminal-table.ts'

interface Run extends SubCall {
	undo: UndoList
	jobs: Jobs
	incident: string | null
	/** Id of the connection. */
	connection: string
}

export async function runUndo(call: SubCall) {
	const {globals} = call.sub
	return await inSession(call, 'service', ({session}) =>
		withJobs(session, call.output, async (jobs, {runs, inventory}) => {
			const {connections, log} = session.profile
			const {id} = storedConnection(connections, globals.connection)
			const undo = openUndo({...session.ports, connections, log, jobs, runs, inventory})
			const incident = await incidentIn(globals, session.profile)
			return await dispatch({...call, undo, jobs, incident, connection: id})
		})
	)
}

async function dispatch(run: Run) {
	const {sub, undo, connection, host} = run
	const [id = ''] = sub.words
	switch (sub.spec.name) {
		case 'undo list':
			return printList(run, await undo.list(connection))
		case 'undo show':
			return printPreview(run, await undo.preview(connection, id, host.signal))
		default:
			return await apply(run, id)
	}
}

function printList(run: Run, items: readonly UndoItem[]) {
	const rows = items.map(item => [item.id, seconds(item.at), item.title, stateOf(item), item.by])
	const message = items.length === 0 ? 'No moves, policy or hash changes in the last 24 hours.' : `${counted(items.length, nouns.change)}.`
	return printTable(run, ['Id', 'When', 'What', 'Undo', 'By'], rows, items, message)
}

function stateOf({undoneAt, impossible}: UndoItem) {
	if (undoneAt !== null) return `undone ${seconds(undoneAt)}`
	return impossible ?? 'possible'
}

function printPreview(run: Run, preview: UndoPreview) {
	const {item, calls, drift, confirm, cost} = preview
	const drifted = drift.length === 0 ? '' : ` ${drift.length} changed since or protected: skipped.`
	const typed = confirm === null ? '' : ` It needs --confirm ${confirm}.`
	const message = `${item.title} Undo ${stateOf(item)}: ${counted(calls.length, nouns.change)} to send, at most ${counted(cost, nouns.call)}.${drifted}${typed} Nothing was sent.`
	const rows = calls.map(({effect, command}) => [effect, command])
	printRows(run, ['Effect', 'Command'], rows)
	return printObject(run, {id: item.id}, preview, message)
}

/** Waits until the jobs it started have ended. */
async function apply(run: Run, id: string) {
	const {host, undo, jobs, incident, connection} = run
	const confirm = run.option('confirm')
	const asked = new AbortController()
	const {signal} = asked
	const ended: JobSummary[] = []
	const work = async () => {
		const applied = await undo.apply({connection, id, confirm, surface: 'cli', incident, signal})
		const stop = () => applied.jobs.forEach(job => void jobs.stop(job).catch(() => {}))
		signal.addEventListener('abort', stop)
		if (signal.aborted) stop()
		for (const job of applied.jobs) ended.push(await jobs.settled(job))
		return applied
	}
	const abort = () => asked.abort(host.signal.reason)
	const result = await attended(host, abort, work, () => void jobs.close())
	const message = [result.message, ...ended.map(summaryText)].join('\n')
	return printObject(run, {id}, {...result, ended}, message, {code: exitOf(host, ended)})
}
