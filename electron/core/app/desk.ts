/** Answers signed requests from outside: notes, local data, and changes that are only ever proposed. */
import {isolateCommand} from '#model/isolation.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {runOrPropose} from '#core/actions/commands/proposing.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import type {Approvals} from '#core/approvals/approvals.ts'
import type {Playbooks} from '#core/playbooks/playbooks.ts'
import {guidOf} from '#core/playbooks/names.ts'
import type {EventStores} from '#core/replicas/events/replica.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Desk, DeskCaller} from './gateway.ts'

interface DeskDependencies {
	connections: Pick<Connections, 'find'>
	log: Pick<IncidentLog, 'append'>
	eventStores: Pick<EventStores, 'open'>
	playbooks: Pick<Playbooks, 'mayStartAlone' | 'start'>
	runner: Pick<Runner, 'run'>
	approvals: Pick<Approvals, 'list' | 'find'>
}

/** The most names in an answer. */
const mostNames = 10

export function openDesk(deps: DeskDependencies): Desk {
	const {connections, log, eventStores, playbooks, runner} = deps
	/** Each request is logged before it has any effect. */
	const note = async ({connection, from, instance}: DeskCaller, message: string) => {
		const {id, name, url} = connections.find(connection)
		const data = {webhook: instance, from}
		await log.append({kind: 'note', surface: 'automation', message, connection: {id, name, url}, data})
	}
	return {
		async note(caller, text) {
			await note(caller, `${caller.from}: ${text}`)
			return 'Noted in the incident log.'
		},
		async whoHas(caller, hash) {
			const {id} = connections.find(caller.connection)
			await note(caller, `${caller.from} asked which computers have ${hash}.`)
			return whoHas(eventStores.open(id), hash)
		},
		async proposeIsolation(caller, computer) {
			const {connection, from, instance} = caller
			await note(caller, `${from} proposes to isolate ${computer}.`)
			const look = {connection, surface: 'automation'} as const
			const guid = await guidOf(({name, args, all = false}) => runner.run({...look, name, args, options: {all}}), computer)
			// The caller is the requester; the same request of two callers is one approval.
			const change = {
				...{...look, name: isolateCommand, args: {connector_guid: guid}, requester: from},
				agreement: {reason: `Proposed by ${instance}`},
				isolation: {code: 'service', lease: null} as const
			}
			const outcome = await runOrPropose(deps, `webhook:${instance}`, change, 'always')
			if ('result' in outcome) return outcome.result.message
			return `Proposed: isolate ${computer}. Nothing is sent before someone approves it in Cordon (${outcome.proposed.id}).`
		},
		async startPlaybook(caller, playbook, variables) {
			const {connection, from, message: key} = caller
			const {name} = playbooks.mayStartAlone(playbook)
			const named = Object.entries(variables).map(([key, value]) => [key.replace(/^(?!__)(.*)$/, '__$1__'), value])
			await note(caller, `${from} starts the playbook ${name}.`)
			const given = {playbook, connection, variables: Object.fromEntries(named), startedBy: from, alone: true, proposes: true, key}
			const {title} = await playbooks.start(given)
			return `Started ${title}. Each of its changes waits until someone approves it in Cordon.`
		}
	}
}

function whoHas(store: ReturnType<EventStores['open']>, hash: string) {
	const asked = {filter: `hash:${hash}`, from: null, to: null, grouping: 'computer', offset: 0, limit: mostNames} as const
	const {rows, matching} = store.query(asked)
	const {oldest} = store.state()
	const since = oldest === null ? '' : ` since ${oldest.slice(0, 10)}`
	if (rows.length === 0) return `No stored event${since} names ${hash}.`
	const names = rows.map(({hostname, guid}) => hostname || (guid ?? 'unknown')).join(', ')
	const more = matching.count > rows.length ? ' and more' : ''
	const count = `${matching.exact ? '' : 'at least '}${counted(matching.count, nouns.computer)}`
	return `Events${since} name it on ${count}: ${names}${more}.`
}
