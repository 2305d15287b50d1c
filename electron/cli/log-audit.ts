/** `cordon log audit`: changes elsewhere. */
import {auditReplica} from '#core/replicas/audit/audits.ts'
import {exitCodeOf} from '#contract/errors.ts'
import type {AuditState} from '#contract/log.ts'
import type {AuditRecord} from '#model/audit.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {readLimit, readSpan} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {printObject} from './result.ts'
import {inSession, type Session, type SubCall, type SubRun} from './session.ts'
import {tableText} from './terminal-table.ts'

export async function runAudit(call: SubCall) {
	const {sub, host} = call
	return await inSession(call, 'service', async run => {
		const {profile, console} = run.session
		const {id} = storedConnection(profile.connections, sub.globals.connection)
		const audits = console?.audits ?? openAudits(run.session)
		try {
			const state = sub.options.has('read') ? await audits.read(id, sub.options.has('all'), host.signal) : audits.state(id)
			return print(run, audits.elsewhere(id, readQuery(run), readLimit(sub)).toReversed(), state)
		} finally {
			if (console === undefined) await audits.stop()
		}
	})
}

function openAudits({ports, profile}: Session) {
	return auditReplica({
		profile: ports.profile,
		clock: ports.clock,
		secrets: ports.secrets,
		random: bytes => ports.random(bytes),
		connections: profile.connections,
		log: () => profile.log,
		worthless: () => false,
		bus: {emit: () => {}},
		onTrouble: () => {}
	})
}

function readQuery({option, session}: SubRun) {
	return {
		text: (option('text') ?? '').split(/\s+/u).filter(word => word !== ''),
		target: option('target'),
		user: option('by'),
		...readSpan(option, session.ports.clock.now())
	}
}

function print(run: SubRun, records: readonly AuditRecord[], state: AuditState) {
	const {output, sub} = run
	const message = stateText(state)
	const code = state.problem === null || !sub.options.has('read') ? 0 : exitCodeOf(state.problem.code)
	if (output.mode !== 'text') return printObject(run, {}, records, message, {code})
	if (records.length > 0) {
		const rows = records.map(({at, user, type, message: text}) => [at, user, type, text])
		output.print(tableText({columns: ['Time', 'By', 'What', 'Message'], rows}, output.width))
	}
	output.say(message)
	return code
}

function stateText({elsewhere, own, readAt, problem, calls}: AuditState) {
	if (readAt === null) return 'The audit log of this connection has not been loaded yet. Use --read to load it.'
	const known = `${elsewhere} changes outside Cordon, ${own} entries of Cordon; loaded ${readAt} with ${counted(calls, nouns.call)}.`
	return problem === null ? known : `${known} Not everything: ${problem.message}`
}
