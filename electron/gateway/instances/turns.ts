/** Work that is asked for again and again, and done one at a time. */
export interface Turns {
	/** Soon, and once however often it is asked for meanwhile. */
	readonly ask: () => void;
	/** Resolves when what runs has ended; nothing is begun any more. */
	stop(): Promise<void>;
}

/** `work` handles its own errors. */
export function inTurns(work: () => Promise<void>): Turns {
	const ended = new AbortController();
	let running: Promise<void> | undefined;
	let isAsked = false;
	const run = async (): Promise<void> => {
		while (isAsked && !ended.signal.aborted) {
			isAsked = false;
			await work();
		}
		running = undefined;
	};
	return {
		ask() {
			isAsked = true;
			// Later in this turn of the event loop: all that is asked for until then is one question.
			running ??= Promise.resolve().then(run);
		},
		stop: async () => {
			ended.abort();
			await running;
		},
	};
}
