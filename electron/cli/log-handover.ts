/** `cordon log handover`: the shift handover as text. */
import {handoverOf} from '#core/record/handover/handover.ts'
import {handoverNote} from '#core/record/handover/note.ts'
import {handoverHtml, handoverMarkdown} from '#core/record/handover/render.ts'
import {knownIncident} from '#core/record/incidents/known.ts'
import {openUndo} from '#core/work/undo/undo.ts'
import type {Handover} from '#model/handover.ts'

import {optionOf, type Sub, numberOption} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import type {CliHost} from './host.ts'
import {withJobs} from './job-session.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {withSession, type Session} from './session.ts'

export async function runHandover(sub: Sub, host: CliHost, output: Output): Promise<number> {
	const hours = numberOption(sub, 'hours', 1, 168) ?? 12
	// The service is not queried, but jobs and the undo history need its client.
	return await withSession(sub.globals, host, 'service', async session => {
		const incident = await knownIncident(session.profile.log, sub.globals.incident)
		const handover = await read(sub, session, output, {incident, hours})
		const next = optionOf(sub, 'next')?.trim() ?? ''
		const entry = next === '' ? null : await session.profile.log.append(handoverNote(handover, next, incident, 'cli'))
		const asHtml = optionOf(sub, 'format') === 'html'
		if (output.mode !== 'text') printObject(output, sub.spec.name, {hours, next}, handover, 'The shift handover.', entry?.id ?? null)
		else output.raw(asHtml ? handoverHtml(handover, next) : handoverMarkdown(handover, next))
		return 0
	})
}

async function read(sub: Sub, session: Session, output: Output, about: Parameters<typeof handoverOf>[1]): Promise<Handover> {
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
			jobs: await jobs.list(connection.id),
			undo: await undo.list(connection.id, about.hours),
		}
		return await handoverOf(sources, about)
	})
}
