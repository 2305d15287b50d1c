/** What the incident log tells of a job's targets since it began: its own changes, and those of others on this profile. */
import type { LogEntry } from '#shared/model/incident.ts';

import type { RunState } from './run-state.ts';

const batch = 1000;

/** The newest intent of one target, with what came of it. */
export interface Trace {
	readonly intent: LogEntry;
	readonly outcome: LogEntry | undefined;
}

/** By the id of the target. */
export interface Traces {
	readonly own: ReadonlyMap<string, Trace>;
	/** The newest change by somebody else that wants something else, unless it is known to have done nothing. */
	readonly opposed: ReadonlyMap<string, LogEntry>;
}

export async function readTraces(run: RunState): Promise<Traces> {
	const own = new Map<string, LogEntry>();
	const others: LogEntry[] = [];
	const outcomes = new Map<string, LogEntry>();
	for await (const entry of changesSince(run)) {
		if (entry.kind === 'command.observed') continue;
		if (entry.kind !== 'command.requested') outcomes.set(entry.about ?? '', entry);
		else if (entry.data?.['job'] === run.id) own.set(targetIn(entry), entry);
		else if (run.action.opposes(entry)) others.push(entry);
	}
	const effective = others.filter(({ id }) => !didNothing(outcomes.get(id)));
	return {
		own: new Map([...own].map(([target, intent]) => [target, { intent, outcome: outcomes.get(intent.id) }])),
		opposed: new Map(effective.map((entry) => [targetIn(entry), entry])),
	};
}

/** Somebody asked for something else after this job did, or since it began. */
export function wasOpposed({ own, opposed }: Traces, target: string): boolean {
	const later = opposed.get(target);
	return later !== undefined && later.seq > (own.get(target)?.intent.seq ?? 0);
}

async function* changesSince({ services, connection, facts }: RunState): AsyncIterable<LogEntry> {
	for (let after = facts.logSeq; ;) {
		const { entries } = await services.log.query({ after, limit: batch, writesOnly: true, connection: connection.id });
		yield* entries;
		if (entries.length < batch) return;
		after = entries.at(-1)?.seq ?? after;
	}
}

function targetIn({ args, target }: LogEntry): string {
	const hash = args?.['sha256'];
	return (typeof hash === 'string' ? hash : (target?.guid ?? '')).toLowerCase();
}

/** A release that was refused because of the state is told as a success with that state. */
function didNothing(outcome: LogEntry | undefined): boolean {
	return outcome?.kind === 'command.failed' || (outcome?.kind === 'command.succeeded' && outcome.status === 409);
}
