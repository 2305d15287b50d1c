/** What the incident log says of a job as a whole: that it started, and how it ended. */
import type { Connection } from '#shared/model/connection.ts';
import type { AgreedPlan, JobSummary } from '#shared/model/job.ts';

import type { RunHead } from '#core/engine/port.ts';
import type { NewEntry } from '#core/record/incidents/types.ts';
import { factsOf } from './rows.ts';
import type { JobServices } from './types.ts';
import { countsSentence } from './words.ts';

type Log = Pick<JobServices['log'], 'append' | 'query'>;

export interface Started {
	readonly run: RunHead;
	readonly connection: Connection;
	readonly plan: AgreedPlan;
	readonly targets: number;
}

const batch = 100;

/** Throws `log_unavailable`: then nothing may be sent. */
export async function tellStart(log: Log, { run, connection, plan, targets }: Started): Promise<void> {
	const { action, digest, tier } = plan;
	const { undoes } = factsOf(run);
	await log.append({
		...noteOf(run, connection, `Job started: ${run.title}: ${action.reason}`),
		data: { job: run.id, digest, targets, tier, ...(undoes !== null && { undoes: undoes.change, part: undoes.part }) },
	});
}

/** For a job whose process was killed before that. */
export async function tellStartOnce(log: Log, started: Started): Promise<void> {
	if (!(await isStartTold(log, started.run))) await tellStart(log, started);
}

export async function tellEnd(
	log: Log,
	run: RunHead,
	connection: Connection,
	counts: JobSummary['counts'],
): Promise<void> {
	const message = `Job ended: ${run.title}: ${countsSentence(counts)}.`;
	await log.append({ ...noteOf(run, connection, message), data: { job: run.id, counts } });
}

function noteOf(run: RunHead, { id, name, url }: Connection, message: string): NewEntry {
	const { surface, incident } = factsOf(run);
	return { kind: 'note', surface, incident, connection: { id, name, url }, message };
}

async function isStartTold(log: Log, run: RunHead): Promise<boolean> {
	const { id, subject } = run;
	// Earlier versions kept the number of the note itself.
	for (let after = Math.max(0, factsOf(run).logSeq - 1); ;) {
		const { entries } = await log.query({ after, limit: batch, kinds: ['note'], connection: subject ?? undefined });
		if (entries.some(({ data }) => data?.['job'] === id && data['digest'] !== undefined)) return true;
		if (entries.length < batch) return false;
		after = entries.at(-1)?.seq ?? after;
	}
}
