/** An incident log of some thousand entries, as after months of work. */
import {randomBytes} from 'node:crypto'
import {join} from 'node:path'

import {openIncidentLog} from '#core/record/incidents/log.ts'

const logEntries = Number(process.env['CORDON_BENCH_LOG_ENTRIES'] ?? 10_000)

const spanMs = 30 * 86_400_000
const hosts = 400

/** Written as the console writes them: each entry is on the disk before the next. */
export async function fillLog(profile: string) {
	const start = Date.now() - spanMs
	let written = 0
	const log = openIncidentLog({
		path: join(profile, 'incidents.db'),
		operator: 'bench',
		clock: {now: () => start + (written / logEntries) * spanMs, monotonic: () => performance.now(), sleep: () => Promise.resolve()},
		random: randomBytes
	})
	for (; written < logEntries; written += 1) {
		const host = `FIN-WS-${String((written * 7919) % hosts).padStart(5, '0')}`
		await log.append({
			kind: written % 2 === 0 ? 'command.requested' : 'command.succeeded',
			surface: 'screen',
			message: `Looked at ${host}: the connection to 203.0.113.${written % 250} is explained`,
			command: 'svc_get_computer_activity',
			target: {guid: `00000000-0000-4000-8000-${String((written * 7919) % hosts).padStart(12, '0')}`, label: host}
		})
	}
	await log.stop()
}
