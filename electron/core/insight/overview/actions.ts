/** The latest changes, here and elsewhere, and the progress of isolations. */
import type {LastAction, OverviewDuring} from '#contract/insight.ts'
import type {AuditRecord} from '#model/audit.ts'
import {isolateCommand} from '#model/isolation.ts'
import {isTrouble, type LogEntry} from '#model/incident.ts'

import type {OverviewDependencies} from './types.ts'
import {address} from './words.ts'

/** Period of the isolation funnel. */
export const funnelMs = 7 * 86_400_000
const actionsShown = 8

type ActionDependencies = Pick<OverviewDependencies, 'connection' | 'log' | 'elsewhere'>

/** ISO 8601: inclusive start, exclusive end. */
interface Span {
	since?: string
	until?: string
}

export async function duringOf(deps: ActionDependencies, from: string, to: string): Promise<OverviewDuring> {
	const span = {since: from, until: to}
	return {lastActions: await lastActionsOf(deps, span), isolation: await funnelOf(deps, span)}
}

/** Newest first. Changes elsewhere are complete only as far as the audit log was read. */
export async function lastActionsOf(deps: ActionDependencies, span: Span = {}): Promise<readonly LastAction[]> {
	const elsewhere = deps.elsewhere({writesOnly: true, ...span}, actionsShown).map(fromElsewhere)
	return [...(await ownActions(deps, span)), ...elsewhere]
		.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
		.slice(0, actionsShown)
}

/** With the outcome of each; an intent without an outcome stands for itself. */
async function ownActions({log, connection}: ActionDependencies, span: Span) {
	const query = {connection: connection.id, writesOnly: true, limit: actionsShown * 3, ...span}
	const {entries} = await log.query(query)
	const told = new Set<string>()
	return entries
		.filter(entry => {
			const intent = entry.about ?? entry.id
			const isNew = !told.has(intent)
			told.add(intent)
			return isNew
		})
		.map(fromHere)
}

function fromHere(entry: LogEntry): LastAction {
	return {at: entry.at, text: entry.message, who: entry.operator, where: 'here', ok: !isTrouble(entry), open: address('/log', {entry: entry.id})}
}

/** The audit log holds completed changes, not attempts. */
function fromElsewhere({at, message, user, key}: AuditRecord): LastAction {
	return {at, text: message, who: user, where: 'elsewhere', ok: true, open: address('/log', {entry: key})}
}

/** Of the isolations requested by this console: how many the service accepted, and how many were confirmed. */
export async function funnelOf({log, connection}: ActionDependencies, span: Span): Promise<OverviewDuring['isolation']> {
	const query = {connection: connection.id, command: isolateCommand, ...span}
	const matching = async (kind: LogEntry['kind'], state?: string) => (await log.query({...query, kinds: [kind], limit: 1, state})).matching
	return {
		requested: await matching('command.requested'),
		accepted: await matching('command.succeeded'),
		isolated: await matching('command.observed', 'isolated')
	}
}
