import type {Incident} from '#model/incident.ts'

import {usage} from './faults.ts'
import {printObject, printTable} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'

const actions: Readonly<Record<string, (run: SubRun) => Promise<number>>> = {'incidents list': list, 'incidents open': open}

export async function runIncidents(call: SubCall) {
	return await inSession(call, 'stores', actions[call.sub.spec.name] ?? turn)
}

async function list(run: SubRun) {
	const incidents = await run.session.profile.log.incidents()
	const columns = ['ID', 'State', 'Opened', 'Entries', 'Reference', 'Title']
	const message = incidents.length === 0 ? 'There is no incident.' : `${incidents.length} incidents.`
	return printTable(run, columns, incidents.map(cells), incidents, message)
}

async function open(run: SubRun) {
	const {sub, option, session} = run
	const title = sub.words[0]?.trim() ?? ''
	if (title === '' || title.length > 200) throw usage('The title must have 1 to 200 characters', 'say in a few words what happened', 'title')
	const reference = (option('reference') ?? '').trim()
	const incident = await session.profile.log.openIncident({title, reference}, 'cli')
	const {id} = incident
	const message = `Incident ${id} is open. Give --incident ${id} with the commands that belong to it.`
	return printObject(run, {title, reference}, incident, message)
}

async function turn(run: SubRun) {
	const {spec, words} = run.sub
	const opens = spec.name === 'incidents reopen'
	const incident = await run.session.profile.log.setIncidentOpen(words[0] ?? '', opens, 'cli')
	const {id, title} = incident
	return printObject(run, {id}, incident, `Incident ${id} (${title}) is ${opens ? 'open again' : 'closed'}.`)
}

function cells({id, open: isOpen, openedAt, entries, reference, title}: Incident) {
	return [id, isOpen ? 'open' : 'closed', openedAt, String(entries), reference, title]
}
