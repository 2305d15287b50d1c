/** What runs, as another process on the profile recorded it: for the command line. */
import { CordonError } from '#shared/contract/errors.ts';
import type { InstanceHealth } from '#shared/model/instance.ts';

import type { Clock } from '#core/base/ports.ts';
import type { Database } from '#core/store/database.ts';
import { outputOf } from './output-rows.ts';
import { requestsOf } from './request-rows.ts';
import { askToPublish, factsOf, historyOf, runningServer } from './state-rows.ts';
import { emptySeries } from './traffic.ts';
import type { InstanceRuntime } from './types.ts';

export const noTraffic = { requestsPerSecond: 0, running: 0, total: 0, failures: 0, lastRequest: null } as const;

export function recordedRuntime(database: Database, clock: Clock): InstanceRuntime {
	const runs = (): boolean => runningServer(database) !== undefined;
	const notHere = (what: string): CordonError =>
		new CordonError('usage', `${what} is done by the console that runs.`, {
			fix: runs() ? 'Use its window.' : 'Start the console ("npm start").',
		});
	return {
		server: () => runningServer(database) ?? { state: 'off', problem: noConsole, listen: null, connections: 0 },
		health: (id) => recordedHealth(database, clock, id, runs()),
		history: (id) => historyOf(database, id),
		traffic: (id) => (runs() ? factsOf(database, id)?.traffic : undefined) ?? noTraffic,
		series: () => emptySeries(clock.now()),
		output: (id) => outputOf(database, id),
		listStatus: (id) => factsOf(database, id)?.list ?? null,
		requests: (id, limit) => requestsOf(database, id, limit),
		// oxlint-disable-next-line require-yield -- nothing comes by here
		follow: async function* () {
			throw notHere('Following requests');
		},
		checkNow: () => Promise.reject(notHere('Looking at an instance')),
		publish: async (id) => {
			if (!runs()) throw notHere('Publishing a list');
			const list = factsOf(database, id)?.list ?? null;
			if (list === null || list.heldBack === null)
				throw new CordonError('usage', 'Nothing is held back: there is nothing to publish.', { field: 'id' });
			askToPublish(database, id);
			return list;
		},
		problem: () => null,
		isOpen: ({ id, openPort }) => {
			const facts = runs() ? factsOf(database, id) : undefined;
			return facts?.openPort === openPort ? (facts.isOpen ?? undefined) : undefined;
		},
		listensOn: () => false,
	};
}

const noConsole = 'No console runs on this profile.';

function recordedHealth(database: Database, clock: Clock, id: string, runs: boolean): InstanceHealth {
	const health = factsOf(database, id)?.health;
	if (runs && health !== undefined) return health;
	const since = health?.since ?? new Date(clock.now()).toISOString();
	return { state: 'stopped', reason: noConsole, since, checkedAt: health?.checkedAt ?? null };
}
