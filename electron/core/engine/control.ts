/** What the owner of a run knows of those who want something of it: pauses, cancels, signals, and its own end. */
import { Cancelled, Over } from './ends.ts';
import type { RunHead, RunStore, SignalRow, Written } from './port.ts';

type Pending = NonNullable<Awaited<ReturnType<RunStore['pending']>>>;

export interface Control {
	readonly paused: boolean;
	readonly cancels: RunHead['cancels'];
	/** Those that no step took, oldest first. */
	readonly signals: readonly SignalRow[];
	readonly halted: AbortSignal;
	readonly over: AbortSignal;
	/** Takes what a write told. Throws when it told that another process has the run. */
	seen(written: Written): void;
	look(pending: Pending): void;
	took(signal: SignalRow): void;
	/** Ends it for good; the first reason stays. */
	end(reason: Over): void;
	/** Throws when another process has the run, or the store is at fault: then nothing may be written. */
	mayWrite(): void;
	/** Resolves when any of it changes, also by `wake`; never rejects. */
	changed(): Promise<void>;
	wake(): void;
}

export function openControl(first: Pick<RunHead, 'paused' | 'cancels'>, signals: readonly SignalRow[]): Control {
	const halted = new AbortController();
	const over = new AbortController();
	let { paused, cancels } = first;
	let waiting = signals;
	let next = Promise.withResolvers<void>();
	const wake = (): void => {
		next.resolve();
		next = Promise.withResolvers<void>();
	};
	const set = (now: Pick<RunHead, 'paused' | 'cancels'>): void => {
		if (now.paused === paused && now.cancels === cancels) return;
		({ paused, cancels } = now);
		if (cancels > 0 && !halted.signal.aborted) halted.abort(new Cancelled());
		wake();
	};
	const end = (reason: Over): void => {
		if (!over.signal.aborted) over.abort(reason);
		if (!halted.signal.aborted) halted.abort(reason);
		wake();
	};
	if (cancels > 0) halted.abort(new Cancelled());
	return {
		get paused() {
			return paused;
		},
		get cancels() {
			return cancels;
		},
		get signals() {
			return waiting;
		},
		halted: halted.signal,
		over: over.signal,
		end,
		wake,
		changed: () => next.promise,
		seen(written) {
			if (written === null) {
				end(new Over('lost'));
				throw over.signal.reason;
			}
			set(written);
		},
		look(pending) {
			const known = waiting.at(-1)?.seq ?? 0;
			waiting = pending.signals;
			set(pending);
			if ((waiting.at(-1)?.seq ?? 0) > known) wake();
		},
		took: ({ seq }) => void (waiting = waiting.filter((one) => one.seq !== seq)),
		mayWrite() {
			const { reason } = over.signal;
			if (reason instanceof Over && reason.kind !== 'closing') throw reason;
		},
	};
}
