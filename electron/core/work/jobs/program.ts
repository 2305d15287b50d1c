/** A job as a run of the engine: told in the log when it begins and ends, and what becomes of one that a process left. */
import type { Connection } from '#shared/model/connection.ts';

import type { RunHead, StepRow } from '#core/engine/port.ts';
import type { Amendment, Program, Recovery, RunContext } from '#core/engine/types.ts';
import { tellEnd, tellStart, tellStartOnce } from './notes.ts';
import { agreedIn, amendmentOf, jobKind } from './rows.ts';
import { runJob } from './run.ts';
import { openRun } from './run-state.ts';
import { countsOf } from './summary.ts';
import type { JobServices } from './types.ts';

/** A job that was alive so short a time ago goes on by itself; an older one waits for somebody to say so. */
const goesOnForMs = 30 * 60_000;

export function jobProgram(services: JobServices): Program {
	return {
		kind: jobKind,
		version: 1,
		begin: (context) => tellBegin(services, context),
		run: async (context) => {
			const run = await openRun(services, context);
			const { planner } = services;
			const { connection, id, targets } = run;
			try {
				planner.reserve(connection.id, id, targets.count('waiting'));
				return await runJob(run);
			} finally {
				giveBack(services, connection.id, id);
			}
		},
		recover: (run, now) => recoveryOf(services, run, now),
		abandon: (steps, because) => ({ steps: steps.flatMap((step) => leftAt(step, because)), phase: 'stopped' }),
		ended: (run) => tellEnded(services, run),
	};
}

/** Without its start in the log there is no job, and the plan can be applied again. */
async function tellBegin({ log, connections }: JobServices, context: RunContext): Promise<void> {
	const { run, steps, definition, resumed } = context;
	const connection = connections.find(run.subject ?? '');
	const started = { run, connection, plan: agreedIn(definition), targets: steps.all.length };
	await (resumed ? tellStartOnce(log, started) : tellStart(log, started));
}

function giveBack({ planner, onTrouble }: JobServices, connection: string, job: string): void {
	try {
		planner.reserve(connection, job, 0);
	} catch (error) {
		onTrouble('Calls that a job had reserved could not be given back.', error);
	}
}

function recoveryOf(services: JobServices, run: RunHead, now: number): Recovery {
	const connection = connectionOf(services, run);
	if (connection === undefined) return { kind: 'leave' };
	if (services.forgets?.(connection) === true)
		return { kind: 'end', because: 'The sandbox was started anew, and knows nothing of it.' };
	if (run.state === 'held') return { kind: 'leave' };
	if (now - run.aliveAt <= goesOnForMs) return { kind: 'go_on' };
	return {
		kind: 'hold',
		because: 'The program ended in the middle of it, a while ago: go on with it, or stop it.',
	};
}

const ends = { waiting: 'not_tried', sending: 'unknown', accepted: 'not_confirmed' } as const;

/** A job that nobody runs any more ends where it is: what was sent is told as it was last known. */
function leftAt(step: StepRow, because: string): readonly Amendment[] {
	const { tag } = step;
	if (tag !== 'waiting' && tag !== 'sending' && tag !== 'accepted') return [];
	const error = tag === 'sending' ? 'outcome_unknown' : null;
	return [amendmentOf(step, { outcome: ends[tag], message: because, error })];
}

async function tellEnded(services: JobServices, run: RunHead): Promise<void> {
	const connection = connectionOf(services, run);
	if (connection === undefined) return;
	try {
		await tellEnd(services.log, run, connection, countsOf(run.tally ?? {}));
	} catch (error) {
		services.onTrouble('The end of a job could not be written to the incident log.', error);
	}
}

function connectionOf({ connections }: JobServices, { subject }: RunHead): Connection | undefined {
	try {
		return connections.find(subject ?? '');
	} catch {
		return undefined;
	}
}
