import type {Incident} from '#model/incident.ts'

import {optionOf, type Sub} from './argv.ts'
import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject, printTable} from './result.ts'
import {withSession, type Session} from './session.ts'

export async function runIncidents(sub: Sub, host: CliHost, output: Output): Promise<number> {
	return await withSession(sub.globals, host, 'stores', async session => {
		if (sub.spec.name === 'incidents list') await list(sub, session, output)
		else if (sub.spec.name === 'incidents open') await open(sub, session, output)
		else await turn(sub, session, output)
		return 0
	})
}

async function list(sub: Sub, {profile}: Session, output: Output): Promise<number> {
	const incidents = await profile.log.incidents()
	const columns = ['ID', 'State', 'Opened', 'Entries', 'Reference', 'Title']
	const message = incidents.length === 0 ? 'There is no incident.' : `${incidents.length} incidents.`
	return printTable({output, sub}, columns, incidents.map(cells), incidents, message)
}

async function open({words, options}: Sub, {profile}: Session, output: Output) {
	const title = words[0]?.trim() ?? ''
	if (title === '' || title.length > 200)
		throw usage('The title must have 1 to 200 characters', 'say in a few words what happened', 'title')
	const reference = (optionOf({options}, 'reference') ?? '').trim()
	const incident = await profile.log.openIncident({title, reference}, 'cli')
	printObject(
		output,
		'incidents open',
		{title, reference},
		incident,
		`Incident ${incident.id} is open. Give --incident ${incident.id} with the commands that belong to it.`,
	)
}

async function turn({spec, words}: Sub, {profile}: Session, output: Output) {
	const opens = spec.name === 'incidents reopen'
	const incident = await profile.log.setIncidentOpen(words[0] ?? '', opens, 'cli')
	printObject(
		output,
		spec.name,
		{id: incident.id},
		incident,
		`Incident ${incident.id} (${incident.title}) is ${opens ? 'open again' : 'closed'}.`,
	)
}

function cells({id, open: isOpen, openedAt, entries, reference, title}: Incident): readonly string[] {
	return [id, isOpen ? 'open' : 'closed', openedAt, String(entries), reference, title]
}
