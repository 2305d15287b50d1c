/** How a job or a run of a playbook stands, for programs that follow it. */
import type { RunStand } from '#core/doors/follow.ts';
import { playbookKind } from '#core/playbooks/interpreter.ts';
import type { Playbooks } from '#core/playbooks/playbooks.ts';
import { jobKind } from '#core/work/jobs/rows.ts';
import type { Jobs } from '#core/work/jobs/types.ts';

interface Parts {
	readonly jobs: Pick<Jobs, 'get'>;
	readonly playbooks: Pick<Playbooks, 'run'>;
}

export function standsOf({ jobs, playbooks }: Parts) {
	return async ({ run, kind }: { run: string; kind: string }): Promise<RunStand | undefined> => {
		if (kind === jobKind) {
			const {
				id,
				connection,
				title,
				phase: state,
				because,
				startedAt,
				endedAt,
				counts,
			} = (await jobs.get(run)).summary;
			return { id, kind, connection, title, state, because, startedAt, endedAt, counts, steps: [] };
		}
		if (kind !== playbookKind) return undefined;
		const { id, connection, title, state, because, startedAt, endedAt, ...rest } = await playbooks.run(run);
		const steps = rest.steps.map((step) => ({ id: step.id, name: step.name, state: step.state }));
		return { id, kind, connection, title, state, because, startedAt, endedAt, steps, counts: null };
	};
}
