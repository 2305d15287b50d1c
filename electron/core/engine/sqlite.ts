/** `runs.db`: the storage port on SQLite. Synchronous, for whoever hosts it: a worker, or the thread of the command line. */
import { join } from 'node:path';

import { openSoundFile } from '#core/store/sound-file.ts';
import type { RunRepository, RunStore } from './port.ts';
import { applyOps, isDurable } from './sqlite-ops.ts';
import { queriesOf } from './sqlite-queries.ts';
import { runMigrations } from './sqlite-schema.ts';

/** `runs.db` in the profile, opened or created at first use. */
export function openRunRepository(profile: string): RunRepository {
	const path = join(profile, 'runs.db');
	const file = openSoundFile({ path, synchronous: 'NORMAL', migrations: runMigrations });
	return {
		apply: (ops) => file.write((database) => applyOps(database, ops), { durable: ops.some(isDurable) }),
		...queriesOf(file.read),
		close: file.close,
	};
}

/** The repository in the caller's own thread, behind the port. */
export function inThread(repository: RunRepository): RunStore {
	return {
		apply: async (ops) => repository.apply(ops),
		run: async (id) => repository.run(id),
		byKey: async (key) => repository.byKey(key),
		runs: async (query) => repository.runs(query),
		steps: async (query) => repository.steps(query),
		tally: async (runs) => repository.tally(runs),
		pending: async (run) => repository.pending(run),
		definition: async (digest) => repository.definition(digest),
		draft: async (id) => repository.draft(id),
		changes: async (since) => repository.changes(since),
		close: async () => repository.close(),
	};
}
