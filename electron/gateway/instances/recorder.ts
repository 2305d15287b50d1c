/** Writes down what runs, for other processes on the profile, and tells pages that something changed. */
import type { InstanceHealth } from '#shared/model/instance.ts';

import { every } from '#core/base/every.ts';
import type { Clock } from '#core/base/ports.ts';
import type { Database } from '#core/store/database.ts';
import type { Told } from './followers.ts';
import { addOutput, waitingOutput, type OutputLine } from './output-rows.ts';
import { addRequests, waitingRequests } from './request-rows.ts';
import { addHistory, putFacts, putServer, type InstanceFacts } from './state-rows.ts';
import type { ServerState } from './types.ts';

export interface Recorder {
	health(id: string, health: InstanceHealth): void;
	server(state: ServerState): void;
	/** Requests came, or ended: these. */
	traffic(ended?: readonly Told[]): void;
	/** A program printed it. */
	output(id: string, line: OutputLine): void;
	stop(): void;
}

export interface RecorderOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly ids: () => readonly string[];
	readonly factsOf: (id: string) => InstanceFacts;
	/** Another text when something else that a page shows changed: when it was looked at, lines of output, what a list serves. */
	readonly newsOf: () => string;
	readonly serverOf: () => ServerState;
	readonly onEvent: () => void;
	readonly onTrouble: (message: string, error?: unknown) => void;
}

const tickMs = 1000;
/** Counts are written more rarely than they are shown. */
const ticksPerWrite = 5;

export function startRecorder(options: RecorderOptions): Recorder {
	const { database, clock, factsOf, newsOf, serverOf, onEvent, onTrouble } = options;
	const stopping = new AbortController();
	const waiting = waitingRequests();
	const printed = waitingOutput();
	const writer = createWriter(options);
	let lastNews = '';
	let isBusy = false;
	let isTicking = false;
	let ticks = 0;
	const safely = (work: () => void): void => {
		try {
			work();
		} catch (error) {
			onTrouble('The states of instances cannot be written down.', error);
		}
	};
	const tick = (): void => {
		ticks += 1;
		if (ticks % ticksPerWrite === 0) safely(writer.all);
		safely(() => addRequests(database, waiting.take()));
		safely(() => addOutput(database, printed.take()));
		const news = newsOf();
		if (isBusy || news !== lastNews) onEvent();
		isBusy = false;
		lastNews = news;
	};
	/** A console without instances has nothing to write. */
	const begin = (): void => {
		if (isTicking) return;
		isTicking = true;
		void every(clock, tickMs, stopping.signal, tick);
	};
	return {
		health(id, health) {
			begin();
			safely(() =>
				database.transaction(() => {
					addHistory(database, id, {
						at: new Date(clock.now()).toISOString(),
						state: health.state,
						reason: health.reason,
					});
					// Not as it is asked for: it may be told before it is known otherwise.
					writer.one(id, { ...factsOf(id), health });
					// Without it nobody knows that a console runs.
					writer.server(serverOf());
				}),
			);
			onEvent();
		},
		server(state) {
			safely(() => writer.server(state));
			onEvent();
		},
		traffic(ended = []) {
			isBusy = true;
			waiting.add(ended);
		},
		output: printed.add,
		stop() {
			stopping.abort();
			safely(() => {
				writer.all();
				addRequests(database, waiting.take());
				addOutput(database, printed.take());
				putServer(database, undefined);
			});
		},
	};
}

/** Writes only what is not as it was written last. */
function createWriter({ database, ids, factsOf, serverOf }: RecorderOptions) {
	/** As text. */
	const written = new Map<string, string>();
	let serverWritten = '';
	const one = (id: string, facts = factsOf(id)): void => {
		const text = JSON.stringify(facts);
		if (written.get(id) === text) return;
		putFacts(database, id, facts);
		written.set(id, text);
	};
	const server = (state: ServerState): void => {
		const text = JSON.stringify(state);
		if (text === serverWritten) return;
		putServer(database, state);
		serverWritten = text;
	};
	const all = (): void => {
		const known = new Set(ids());
		for (const id of written.keys()) if (!known.has(id)) written.delete(id);
		database.transaction(() => {
			server(serverOf());
			for (const id of known) one(id);
		});
	};
	return { one, server, all };
}
