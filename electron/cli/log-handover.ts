/** `cordon log handover`: the shift handover as text. */
import {handoverOf} from '#core/record/handover/handover.ts'
import {handoverNote} from '#core/record/handover/note.ts'
import {handoverHtml, handoverMarkdown} from '#core/record/handover/render.ts'
import {knownIncident} from '#core/record/incidents/known.ts'
import {openUndo} from '#core/work/undo/undo.ts'

import {numberOption} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {withJobs} from './job-session.ts'
import {printObject} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'

export async function runHandover(call: SubCall) {
	const {sub, option, output} = call
	const hours = numberOption(sub, 'hours', 1, 168) ?? 12
	// The service is not queried, but jobs and the undo history need its client.
	return await inSession(call, 'service', async run => {
		const {log} = run.session.profile
		const incident = await knownIncident(log, sub.globals.incident)
		const handover = await read(run, {incident, hours})
		const next = option('next')?.trim() ?? ''
		const entry = next === '' ? null : await log.append(handoverNote(handover, next, incident, 'cli'))
		if (output.mode !== 'text') return printObject(run, {hours, next}, handover, 'The shift handover.', {entry: entry?.id ?? null})
		output.raw(option('format') === 'html' ? handoverHtml(handover, next) : handoverMarkdown(handover, next))
		return 0
	})
}

async function read({sub, session, output}: SubRun, about: Parameters<typeof handoverOf>[1]) {
	const {ports, profile} = session
	const {clock, operator} = ports
	const {connections, log, escrow} = profile
	const connection = storedConnection(connections, sub.globals.connection)
	return await withJobs(session, output, async (jobs, {runs, inventory}) => {
		const undo = openUndo({clock, operator, connections, log, jobs, runs, inventory})
		const sources = {
			connection,
			operator,
			now: clock.now(),
			log,
			leases: escrow.leases.list(connection.id),
			inventory: inventory(connection.id),
			jobs: await jobs.open(connection.id),
			undo: await undo.list(connection.id, about.hours)
		}
		return await handoverOf(sources, about)
	})
}
