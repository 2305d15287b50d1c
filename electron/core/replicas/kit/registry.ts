/** All local copies of this process. What is done with every one of them is done here, over the list. */
import type {CopyKind} from '#shared/contract/local.ts'

import type {AnyReplica} from './replica.ts'

export interface ReplicaRegistry {
	readonly all: readonly AnyReplica[]
	of(kind: CopyKind): AnyReplica
	/** Closes and deletes the copies of a connection, or some kinds of them; they are recreated when they are needed. */
	forget(connection: string, kinds?: ReadonlySet<CopyKind>): Promise<void>
	/** Keeps the copies of the active connection fresh from now on. */
	keepFresh(active: () => string | undefined): void
	/** Looks again now, because another connection became active. */
	trigger(): void
	/** Nothing is refreshed any more; resolves when the last one ended. */
	stopRefreshing(): Promise<void>
	stop(): Promise<void>
}

/** In the order in which they build on each other: they are stopped the other way round. */
export function registryOf(all: readonly AnyReplica[]): ReplicaRegistry {
	const backwards = all.toReversed()
	let refreshers: readonly {trigger(): void; stop(): Promise<void>}[] = []
	const stopRefreshing = async (): Promise<void> => {
		await Promise.all(refreshers.map(refresher => refresher.stop()))
	}
	return {
		all,
		of(kind) {
			const found = all.find(replica => replica.kind === kind)
			if (found === undefined) throw new TypeError(`There is no replica of ${kind}.`)
			return found
		},
		async forget(connection, kinds) {
			for (const replica of backwards) if (kinds?.has(replica.kind) ?? true) await replica.forget(connection)
		},
		keepFresh(active) {
			refreshers = all.flatMap(replica => replica.keepFresh(active) ?? [])
		},
		trigger: () => refreshers.forEach(refresher => refresher.trigger()),
		stopRefreshing,
		async stop() {
			await stopRefreshing()
			for (const replica of backwards) await replica.stop()
		},
	}
}
