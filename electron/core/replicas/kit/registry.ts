/** All local copies of this process, and the operations over all of them. */
import type {CopyKind} from '#model/choices.ts'

import type {AnyReplica} from './replica.ts'

export interface ReplicaRegistry {
	readonly all: readonly AnyReplica[]
	of(kind: CopyKind): AnyReplica
	/** Closes and deletes the copies of a connection, or some kinds of them; they are recreated on demand. */
	forget(connection: string, kinds?: ReadonlySet<CopyKind>): Promise<void>
	/** Refreshes the copies of these connections from now on. */
	keepFresh(shown: () => readonly string[]): void
	/** Checks now, because another connection became active. */
	trigger(): void
	/** Ends refreshing; resolves when the last refresh ended. */
	stopRefreshing(): Promise<void>
	stop(): Promise<void>
}

/** In order of dependency: stopped in reverse. */
export function registryOf(all: readonly AnyReplica[]): ReplicaRegistry {
	const backwards = all.toReversed()
	let forgotten: Promise<unknown> = Promise.resolve()
	let refreshers: readonly {trigger(): void; stop(): Promise<void>}[] = []
	const stopRefreshing = async () => {
		await Promise.all(refreshers.map(refresher => refresher.stop()))
	}
	return {
		all,
		of(kind) {
			const found = all.find(replica => replica.kind === kind)
			if (found === undefined) throw new TypeError(`There is no replica of ${kind}.`)
			return found
		},
		forget(connection, kinds) {
			// One after the other: a file is not deleted while another call still closes it.
			const forgetting = forgotten.then(async () => {
				for (const replica of backwards) if (kinds?.has(replica.kind) ?? true) await replica.forget(connection)
			})
			forgotten = forgetting.catch(() => {})
			return forgetting
		},
		keepFresh(shown) {
			refreshers = all.flatMap(replica => replica.keepFresh(shown) ?? [])
		},
		trigger: () => refreshers.forEach(refresher => refresher.trigger()),
		stopRefreshing,
		async stop() {
			await stopRefreshing()
			for (const replica of backwards) await replica.stop()
		},
	}
}
