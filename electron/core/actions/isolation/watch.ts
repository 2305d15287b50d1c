/**
 * Follows computers whose isolation is pending until their agents have answered: the third fact, *observed*.
 * One watch for each open local copy, in the process that owns the console; it sleeps while nothing is pending.
 */
import type { Connection } from '#shared/model/connection.ts';
import { pendingTooLongMs } from '#shared/model/isolation.ts';

import type { ApiClient } from '#core/service/api/types.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { Clock } from '#core/base/ports.ts';
import { isPending, observedEntry, verdictOn } from './observation.ts';
import { affordablePause, createPace, longestPauseMs, type Pace } from './pace.ts';
import { pollCost, pollStates } from './poll.ts';

export interface WatchOptions {
	readonly connection: Connection;
	readonly client: ApiClient;
	readonly inventory: Inventory;
	readonly log: Pick<IncidentLog, 'appendOnce' | 'about'>;
	readonly clock: Clock;
	/** Called once for a computer whose agent has not answered for ten minutes. */
	readonly onTooLong: (guid: string, status: string) => void;
	readonly onTrouble: (message: string, error: unknown) => void;
}

export interface Watch {
	/** A change was asked for: follow this computer even while the service still shows the old state. */
	follow(guid: string): void;
	/** How many computers are followed. */
	readonly following: number;
	stop(): Promise<void>;
}

interface Followed {
	/** Unix milliseconds. */
	readonly since: number;
	told: boolean;
	wasPending: boolean;
	/** When the state was first read to be neither pending nor wanted; Unix milliseconds. */
	unwantedSince: number | undefined;
}

/** Where every agent is silent for ten minutes, they are probably off: the listing every five minutes finds them too. */
const silentPauseMs = 300_000;

export function startWatch(options: WatchOptions): Watch {
	const { clock, inventory } = options;
	const ended = new AbortController();
	const followed = new Map<string, Followed>();
	const pace = createPace(clock);
	let look = new AbortController();

	const add = (guid: string, since: number): void => {
		followed.set(guid, { since, told: false, wasPending: false, unwantedSince: undefined });
		pace.restart();
		look.abort();
	};
	const turn = async (): Promise<number | undefined> => {
		for (const { guid, since } of inventory.pending()) if (!followed.has(guid)) add(guid, Date.parse(since));
		await settleAll(options, followed);
		if (followed.size > 0 && pace.due()) await poll(options, followed, pace, ended.signal);
		return followed.size === 0 ? undefined : pace.left();
	};
	const loop = async (): Promise<void> => {
		while (!ended.signal.aborted) {
			look = new AbortController();
			const restMs = await guarded(turn, options, ended.signal);
			await rest(clock, restMs, AbortSignal.any([ended.signal, look.signal]));
		}
	};

	const unlisten = inventory.onChange(({ guid }) => {
		if (guid === null || followed.has(guid) || isPending(inventory.row(guid)?.isolation)) look.abort();
	});
	const running = loop();
	return {
		follow: (guid) => add(guid.toLowerCase(), clock.now()),
		get following() {
			return followed.size;
		},
		async stop() {
			unlisten();
			ended.abort();
			await running;
		},
	};
}

async function poll(
	options: WatchOptions,
	followed: Map<string, Followed>,
	pace: Pace,
	signal: AbortSignal,
): Promise<void> {
	const guids = [...followed.keys()];
	const cost = pollCost(options, guids.length);
	// Before the poll: should it fail, the next one is not tried at once.
	pace.slower();
	// Settled at each reading: a request that follows at once must not take the place of the one that ended.
	await pollStates(options, guids, () => settleAll(options, followed), signal);
	const silent = allSilent(followed, options.clock.now()) ? silentPauseMs : 0;
	pace.atLeast(Math.max(silent, affordablePause(options.client.budget(), cost, options.clock.now())));
}

async function settleAll(options: WatchOptions, followed: Map<string, Followed>): Promise<void> {
	for (const [guid, one] of followed) await settleOne(options, followed, guid, one);
}

async function settleOne(
	options: WatchOptions,
	followed: Map<string, Followed>,
	guid: string,
	one: Followed,
): Promise<void> {
	const { inventory, log, connection, clock } = options;
	const row = inventory.row(guid);
	if (row === undefined || row.vanishedAt !== null) return void followed.delete(guid);
	const waiting = clock.now() - one.since;
	if (isPending(row.isolation)) {
		one.wasPending = true;
		one.unwantedSince = undefined;
		if (waiting < pendingTooLongMs || one.told) return;
		one.told = true;
		return options.onTooLong(guid, row.isolation);
	}
	const entries = await log.about(connection.id, guid, 50);
	const readAt = Date.parse(row.isolationReadAt);
	const verdict = verdictOn(entries, row.isolation, {
		waitingMs: waiting,
		wasPending: one.wasPending,
		unwantedForMs: readAt - (one.unwantedSince ??= readAt),
	});
	if (verdict.kind === 'keep') return;
	// Followed until it is written down: a log that cannot be written is tried again.
	if (verdict.kind !== 'done')
		await log.appendOnce(observedEntry(verdict.intent, row, clock.now()), ['command.observed']);
	// Another request for it may have come meanwhile.
	if (followed.get(guid) === one) followed.delete(guid);
}

function allSilent(followed: ReadonlyMap<string, Followed>, now: number): boolean {
	return [...followed.values()].every(({ since }) => now - since >= pendingTooLongMs);
}

/** A turn that fails is tried again later: the watch itself never ends by a failure. */
async function guarded(
	turn: () => Promise<number | undefined>,
	options: WatchOptions,
	signal: AbortSignal,
): Promise<number | undefined> {
	try {
		return await turn();
	} catch (error) {
		if (!signal.aborted) options.onTrouble('Pending isolations could not be followed.', error);
		return longestPauseMs;
	}
}

async function rest(clock: Clock, ms: number | undefined, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	if (ms === undefined) {
		await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
		return;
	}
	try {
		await clock.sleep(ms, signal);
	} catch {
		// Ended, or something new to look at.
	}
}
