import type {Clock} from '#base/ports.ts'

interface Sleeper {
	due: number
	wake: () => void
}

/** A clock that moves only when a test says so. */
export interface TestClock extends Clock {
	/** Moves time on and wakes who is due, one after the other. */
	advance(ms: number): Promise<void>
	/** Durations that were asked for and not yet reached or aborted. */
	pending(): readonly number[]
	/** Every duration that was ever asked for. */
	asked: readonly number[]
}

/** With `eager` every sleep ends at once and moves the time by its length. */
export function testClock({eager = false, start = Date.UTC(2026, 0, 1)} = {}): TestClock {
	let elapsed = 0
	const sleepers = new Set<Sleeper>()
	const asked: number[] = []

	async function sleep(ms: number, signal?: AbortSignal) {
		signal?.throwIfAborted()
		asked.push(ms)
		if (eager) {
			elapsed += ms
			return
		}
		await new Promise<void>((resolve, reject) => {
			const sleeper: Sleeper = {due: elapsed + ms, wake: resolve}
			sleepers.add(sleeper)
			signal?.addEventListener('abort', () => sleepers.delete(sleeper) && reject(signal.reason), {once: true})
		})
	}

	async function advance(ms: number) {
		const target = elapsed + ms
		for (;;) {
			const [next] = [...sleepers].filter(sleeper => sleeper.due <= target).toSorted((one, other) => one.due - other.due)
			if (next === undefined) break
			elapsed = next.due
			sleepers.delete(next)
			next.wake()
			await settle()
		}
		elapsed = target
		await settle()
	}

	return {
		now: () => start + elapsed,
		monotonic: () => elapsed,
		sleep,
		advance,
		pending: () => [...sleepers].map(sleeper => sleeper.due - elapsed),
		asked
	}
}

/** Lets everything run that waits for nothing but its turn. */
export function settle(): Promise<void> {
	return new Promise(setImmediate)
}
