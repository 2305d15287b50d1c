/** The list service: a built-in instance that publishes an external dynamic list (route description, 2.2 and 5.1). */
import { mkdir } from 'node:fs/promises';

import type { ListStatus } from '#shared/contract/instances.ts';
import type { ListService } from '#shared/model/instance.ts';

import type { Clock } from '#core/base/ports.ts';
import { startListServer } from './list-server.ts';
import { rebuild } from './publication.ts';
import { openShelf, type Shelf } from './shelf.ts';
import type { FetchFileList } from './sources.ts';
import { heldFor, heldReason, served, statusOf } from './status.ts';

export interface ListServiceOptions {
	readonly definition: ListService;
	readonly instance: { readonly id: string; readonly name: string };
	/** Its own; holds the last good list and survives the process. Made when it is missing. */
	readonly folder: string;
	/** Where it listens; port 0: any free one. */
	readonly host: string;
	readonly port: number;
	readonly clock: Clock;
	readonly fetchFileList: FetchFileList;
	/** Whole sentences for the operator: a rebuild that failed, a list that is held back. */
	readonly onTrouble: (message: string, error?: unknown) => void;
}

export interface RunningList {
	/** As bound. */
	readonly port: number;
	status(): ListStatus;
	/** Publishes what the shrink guard holds back; without that, nothing happens. */
	publish(): Promise<ListStatus>;
	/** Rebuilds now. Resolves when that ended, however it did: the status tells. */
	refresh(): Promise<ListStatus>;
	/** From now on another definition: rebuilds at once. */
	reload(definition: ListService): void;
	stop(): Promise<void>;
}

/** Serves the last good list at once, if there is one. Rejects with `taken` when the port is in use. */
export async function startListService(options: ListServiceOptions): Promise<RunningList> {
	await mkdir(options.folder, { recursive: true, mode: 0o700 });
	const shelf = await openShelf(options.folder);
	const list = createList(options, shelf);
	const server = await startListServer({ ...options, shelf, ...list });
	const done = list.run();
	const stop = async () => {
		list.stop();
		await Promise.all([done, server.stop()]);
	};
	const { status, publish, refresh, reload } = list;
	return { port: server.port, status, publish, refresh, reload, stop };
}

/** After a failure it is tried again sooner than the list is refreshed otherwise. */
const retryMs = 60_000;

function createList({ folder: _folder, clock, fetchFileList, onTrouble, ...given }: ListServiceOptions, shelf: Shelf) {
	let { definition } = given;
	let problem: string | null = null;
	let told = '';
	let building: Promise<void> | null = null;
	let wake = new AbortController();
	let attempt = new AbortController();
	const stopping = new AbortController();
	let ids = 0;
	const status = () => statusOf(shelf, definition, problem);

	/** One build at a time; whoever asks meanwhile gets the one that runs. */
	function rebuildNow(): Promise<void> {
		building ??= attemptBuild().finally(() => (building = null));
		return building;
	}

	async function attemptBuild(): Promise<void> {
		const { signal } = attempt;
		const id = `build-${clock.now()}-${process.pid}-${(ids += 1)}`;
		try {
			await rebuild({ shelf, definition, id, fetchFileList, clock, signal });
			problem = null;
			const held = heldFor(shelf, definition);
			if (held?.id === id) tell(`was not published. ${heldReason(held)}`);
			else told = '';
		} catch (error) {
			if (signal.aborted) return;
			problem = error instanceof Error ? error.message : String(error);
			tell(`stays as it is. ${problem}`, error);
		}
	}

	/** Once, not at every refresh. */
	function tell(what: string, error?: unknown): void {
		if (what !== told) onTrouble(`The list "${given.instance.name}" ${what}`, error);
		told = what;
	}

	async function run(): Promise<void> {
		let wait = dueIn(shelf, definition, clock.now());
		while (!stopping.signal.aborted) {
			const woken = await pause(clock, wait, wake.signal);
			if (stopping.signal.aborted) return;
			if (woken) wake = new AbortController();
			await rebuildNow();
			wait = problem === null ? definition.refreshS * 1000 : Math.min(retryMs, definition.refreshS * 1000);
		}
	}

	function reload(next: ListService): void {
		definition = next;
		restart();
	}

	/** Gives up the build that runs, and builds again at once. */
	function restart(): void {
		attempt.abort();
		attempt = new AbortController();
		wake.abort();
	}

	async function publish(): Promise<ListStatus> {
		if (heldFor(shelf, definition) === null) return status();
		await shelf.release();
		// What is being built was compared with the list that has just been replaced.
		if (building !== null) restart();
		return status();
	}

	async function refresh(): Promise<ListStatus> {
		await rebuildNow();
		return status();
	}

	function stop(): void {
		stopping.abort();
		attempt.abort();
		wake.abort();
	}

	return {
		run,
		reload,
		publish,
		refresh,
		status,
		stop,
		definition: () => definition,
		served: () => served(shelf, definition),
	};
}

/** A list that is fresh and was built from the same definition is not built again at the start. */
function dueIn(shelf: Shelf, definition: ListService, now: number): number {
	const current = served(shelf, definition);
	if (current === null || JSON.stringify(current.definition) !== JSON.stringify(definition)) return 0;
	const age = now - current.builtAt;
	return age < 0 ? 0 : Math.max(0, definition.refreshS * 1000 - age);
}

/** Resolves with whether it was woken before the time. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
	if (ms <= 0) return false;
	try {
		await clock.sleep(ms, signal);
		return false;
	} catch {
		return true;
	}
}
