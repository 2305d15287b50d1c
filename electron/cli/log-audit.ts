/** `cordon log audit`: changes elsewhere. */
import {auditReplica, type Audits} from '#core/replicas/audit/audits.ts'
import {exitCodeOf} from '#contract/errors.ts'
import type {AuditState} from '#contract/log.ts'
import type {AuditRecord} from '#model/audit.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {readLimit, readSince, type Sub, optionOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {withSession, type Session} from './session.ts'
import {tableText} from './terminal-table.ts'

export async function runAudit(sub: Sub, host: CliHost, output: Output): Promise<number> {
	return await withSession(sub.globals, host, 'service', async session => {
		const {profile, console} = session
		const {id} = storedConnection(profile.connections, sub.globals.connection)
		const audits = console?.audits ?? openAudits(session)
		try {
			const state = sub.options.has('read') ? await audits.read(id, sub.options.has('all'), host.signal) : audits.state(id)
			print(audits.elsewhere(id, readQuery(sub, session), readLimit(sub)).toReversed(), state, output)
			return state.problem === null || !sub.options.has('read') ? 0 : exitCodeOf(state.problem.code)
		} finally {
			if (console === undefined) await audits.stop()
		}
	})
}

function openAudits({ports, profile}: Session): Audits {
	return auditReplica({
		profile: ports.profile,
		clock: ports.clock,
		secrets: ports.secrets,
		random: bytes => ports.random(bytes),
		connections: profile.connections,
		log: () => profile.log,
		worthless: () => false,
		bus: {emit: () => {}},
		onTrouble: () => {},
	})
}

function readQuery(sub: Sub, {ports}: Session) {
	const option = (name: string) => optionOf(sub, name)
	const [since, until] = [option('since'), option('until')]
	const now = ports.clock.now()
	return {
		text: (option('text') ?? '').split(/\s+/u).filter(word => word !== ''),
		target: option('target'),
		user: option('by'),
		since: since === undefined ? undefined : readSince(since, now),
		until: until === undefined ? undefined : readSince(until, now, 'until'),
	}
}

function print(records: readonly AuditRecord[], state: AuditState, output: Output) {
	const message = stateText(state)
	if (output.mode !== 'text') return printObject(output, 'log audit', {}, records, message)
	if (records.length > 0) {
		const rows = records.map(({at, user, type, message: text}) => [at, user, type, text])
		output.print(tableText({columns: ['Time', 'By', 'What', 'Message'], rows}, output.width))
	}
	output.say(message)
}

function stateText({elsewhere, own, readAt, problem, calls}: AuditState) {
	if (readAt === null) return 'The audit log of this connection has not been loaded yet. Use --read to load it.'
	const known = `${elsewhere} changes outside Cordon, ${own} entries of Cordon; loaded ${readAt} with ${counted(calls, nouns.call)}.`
	return problem === null ? known : `${known} Not everything: ${problem.message}`
}
