/** How many isolations went out lately, as the incident log tells: so it counts those of every process and every job. */
import type { IncidentLog } from '#core/record/incidents/types.ts';
import { isolateCommand } from '../isolation/receipt.ts';

/** Requests that were not refused, since `from` (Unix milliseconds). */
export async function isolationsSince(
	log: Pick<IncidentLog, 'query'>,
	connection: string,
	from: number,
): Promise<number> {
	const common = { connection, command: isolateCommand, since: new Date(from).toISOString(), limit: 1 };
	const asked = (await log.query({ ...common, kinds: ['command.requested'] })).matching;
	const refused = (await log.query({ ...common, kinds: ['command.failed'] })).matching;
	return Math.max(0, asked - refused);
}
