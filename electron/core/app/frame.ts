/** All that the frame of the window shows of one connection, put together from the parts that know it. */
import { reportError } from '#shared/contract/errors.ts';
import type { FrameState, InventoryCounts, InventoryState, IsolationAlarms } from '#shared/model/frame.ts';
import type { JobTotals } from '#shared/model/job.ts';

import type { Runner } from '#core/actions/commands/types.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { Leases } from '#core/actions/isolation/leases.ts';
import { phaseOf } from '#core/actions/isolation/lease-words.ts';
import { silentAfterMs } from '#core/insight/overview/attention.ts';
import type { Streams } from '#core/streams/streams.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';

export interface FrameParts {
	readonly connections: Pick<Connections, 'find' | 'client' | 'mode'>;
	readonly runner: Pick<Runner, 'running'>;
	/** What is known of them at this moment. */
	readonly jobs: { totals(connection: string): JobTotals };
	readonly streams: Pick<Streams, 'state'>;
	readonly leases: Pick<Leases, 'list'>;
	readonly clock: { now(): number };
	/** The open local copy, or `undefined` while nobody asked for it. Throws when it cannot be opened. */
	readonly inventory: (connection: string) => Inventory | undefined;
}

const noCounts: InventoryCounts = {
	computers: 0,
	compromised: 0,
	isolated: 0,
	pendingStart: 0,
	pendingStop: 0,
	pendingTooLong: 0,
};

const unread: InventoryState = {
	phase: 'empty',
	revision: 0,
	rows: 0,
	total: null,
	pagesRead: 0,
	pages: null,
	completeAt: null,
	readAt: null,
	missing: [],
	error: null,
};

/** Throws `unknown_connection`; a local copy in trouble is a state, not an error. */
export function frameOf(parts: FrameParts, id: string): FrameState {
	const connection = parts.connections.find(id);
	const client = parts.connections.client(connection.id);
	return {
		connection,
		mode: parts.connections.mode(connection.id),
		budget: client.budget(),
		link: client.link(),
		...copyState(parts, connection.id),
		runningCommands: parts.runner.running(connection.id),
		alarms: alarmsOf(parts, connection.id),
		jobs: parts.jobs.totals(connection.id),
		stream: streamOf(parts, connection.id),
		clockSkewMs: client.clockSkewMs(),
	};
}

function streamOf({ streams }: FrameParts, connection: string): FrameState['stream'] {
	const state = streams.state(connection);
	if (state === null) return null;
	const { phase, since, lastMessageAt, lagMs, problem } = state;
	return { phase, since, lastMessageAt, lagMs, problem };
}

/** Whatever cannot be read is not counted: the frame goes on. */
function alarmsOf({ leases, clock, inventory }: FrameParts, connection: string): IsolationAlarms {
	const now = clock.now();
	try {
		const phases = leases.list(connection).map((lease) => phaseOf(lease, now));
		return {
			silent: inventory(connection)?.silentSince(now - silentAfterMs, 1).count ?? 0,
			ending: phases.filter((phase) => phase === 'ending').length,
			over: phases.filter((phase) => phase === 'over').length,
		};
	} catch {
		return { silent: 0, ending: 0, over: 0 };
	}
}

function copyState(parts: FrameParts, connection: string): Pick<FrameState, 'inventory' | 'counts'> {
	try {
		const copy = parts.inventory(connection);
		return copy === undefined
			? { inventory: unread, counts: noCounts }
			: { inventory: copy.state(), counts: copy.counts() };
	} catch (error) {
		return { inventory: { ...unread, phase: 'failed', error: reportError(error) }, counts: noCounts };
	}
}
