/** All local copies of this process, and the operations over all of them. */
import type {CopyKind} from '#model/choices.ts'

import type {AnyReplica} from './replica.ts'

export type ReplicaRegistry = ReturnType<typeof registryOf>

/** In order of dependency: stopped in reverse. */
export function registryOf(all: readonly AnyReplica[]) {
	const backwards = all.toReversed()
	let forgotten: Promise<unknown> = Promise.resolve()
	let refreshers: readonly {trigger(): void; stop(): Promise<void>}[] = []
	const stopRefreshing = async () => {
		await Promise.all(refreshers.map(refresher => refresher.stop()))
	}
	return {
		all,
		of(kind: CopyKind) {
			const found = all.find(replica => replica.kind === kind)
			if (found === undefined) throw new TypeError(`There is no replica of ${kind}.`)
			return found
		},
		/** Closes and deletes the copies of a connection, or some kinds of them; they are recreated on demand. */
		forget(connection: string, kinds?: ReadonlySet<CopyKind>) {
			// One after the other: a file is not deleted while another call still closes it.
			const forgetting = forgotten.then(async () => {
				for (const replica of backwards) if (kinds?.has(replica.kind) ?? true) await replica.forget(connection)
			})
			forgotten = forgetting.catch(() => {})
			return forgetting
		},
		/** Refreshes the copies of these connections from now on. */
		keepFresh(shown: () => readonly string[]) {
			refreshers = all.flatMap(replica => replica.keepFresh(shown) ?? [])
		},
		/** Checks now, because another connection became active. */
		trigger: () => refreshers.forEach(refresher => refresher.trigger()),
		/** Ends refreshing; resolves when the last refresh ended. */
		stopRefreshing,
		async stop() {
			await stopRefreshing()
			for (const replica of backwards) await replica.stop()
		}
	}
}
