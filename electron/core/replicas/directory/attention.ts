import type {Clock} from '#base/ports.ts'
import type {Refreshing} from './refreshing.ts'
import type {DirectorySource} from './source.ts'

/** The age (ms) at which a visible listing is refreshed, and the pause after a failed reading. */
const [oldMs, againMs] = [5 * 60_000, 60_000]
/** Details are loaded automatically if that takes at most this share of the remaining quota. */
const share = 0.25

interface AttentionOptions {
	clock: Clock
	source: Pick<DirectorySource, 'room'>
	refreshing: Pick<Refreshing, 'state' | 'listings' | 'details' | 'missing' | 'running'>
	onTrouble: (message: string, error: unknown) => void
}

/** Refreshes in the background what a screen shows: old listings and missing details. */
export function makeAttention({clock, source, refreshing, onTrouble}: AttentionOptions) {
	const ended = new AbortController()
	let triedAt = Number.NEGATIVE_INFINITY
	let running: Promise<void> | undefined

	const read = async () => {
		try {
			if (isOld()) await refreshing.listings(ended.signal)
			const calls = refreshing.missing().length
			if (calls > 0 && calls <= (source.room() ?? 0) * share) await refreshing.details('missing', ended.signal)
		} catch (error) {
			if (!ended.signal.aborted) onTrouble('Groups, policies and file lists were not read.', error)
		} finally {
			running = undefined
		}
	}
	const isOld = () => {
		const {readAt, phase} = refreshing.state()
		return readAt === null || phase === 'failed' || Math.abs(clock.now() - Date.parse(readAt)) > oldMs
	}
	return {
		look: () => {
			if (ended.signal.aborted || running !== undefined || refreshing.running()) return
			if (clock.monotonic() - triedAt < againMs) return
			if (!isOld() && refreshing.missing().length === 0) return
			triedAt = clock.monotonic()
			running = read()
		},
		stop: async () => {
			ended.abort()
			await running
		}
	}
}
