import type {Clock} from '#base/ports.ts'

export type Shown = ReturnType<typeof createShown>

/** Pages tell it every minute. */
const shownForMs = 180_000

/** The connections that open pages show. */
export function createShown(clock: Clock) {
	const toldAt = new Map<string, number>()
	const ids = (): readonly string[] => [...toldAt].filter(([, at]) => Math.abs(clock.now() - at) < shownForMs).map(([connection]) => connection)
	return {
		/** A page shows this connection now. */
		tell: (connection: string) => void toldAt.set(connection, clock.now()),
		ids
	}
}
