import type {Clock} from './ports.ts'

/** Looks repeatedly, `ms` after each look, until the signal is aborted. */
export async function every(clock: Clock, ms: number, signal: AbortSignal, look: () => Promise<void> | void) {
	while (!signal.aborted) {
		try {
			await clock.sleep(ms, signal)
		} catch {
			return
		}
		if (!signal.aborted) await look()
	}
}
