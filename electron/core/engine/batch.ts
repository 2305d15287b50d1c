/** Group commit: writes that are asked for while others are under way go to the store together, in one transaction. */
import {CordonError} from '#shared/contract/errors.ts'
import {storeFaultOf} from '#core/store/faults.ts'

import type {Op, OpKind, OpOf, OpResult, OpResults, RunStore} from './port.ts'

/** Resolves once it is written. */
export type Submit = <K extends OpKind>(op: OpOf<K> & {readonly kind: K}) => Promise<OpResults[K]>

interface Asked {
	readonly op: Op
	readonly resolve: (result: OpResult) => void
	readonly reject: (error: unknown) => void
}

/** So many fit into one transaction; the others have the next one. */
const most = 1000

export function groupCommit(store: Pick<RunStore, 'apply'>): Submit {
	let waiting: Asked[] = []
	let isRunning = false
	const run = async (): Promise<void> => {
		while (waiting.length > 0) {
			const batch = waiting.slice(0, most)
			waiting = waiting.slice(most)
			await commit(store, batch)
		}
		isRunning = false
	}
	return ((op: Op) =>
		new Promise<OpResult>((resolve, reject) => {
			waiting.push({op, resolve, reject})
			if (isRunning) return
			isRunning = true
			// All that one turn of the event loop asks for belongs together.
			setImmediate(() => void run())
		})) as Submit
}

async function commit(store: Pick<RunStore, 'apply'>, batch: readonly Asked[]): Promise<void> {
	try {
		const results = await store.apply(batch.map(({op}) => op))
		// One result for each, in their order: the port says so.
		for (const [index, {resolve}] of batch.entries()) resolve(results[index] as OpResult)
	} catch (error) {
		const [only] = batch
		if (batch.length === 1) return only?.reject(error)
		if (isOfStore(error)) return batch.forEach(({reject}) => reject(error))
		// Nothing of the batch was written. What is wrong with one must not keep the others from it.
		for (const one of batch) await commit(store, [one])
	}
}

/** After a disk error it may have been written: a second attempt could find itself there. */
function isOfStore(error: unknown): boolean {
	return error instanceof CordonError && storeFaultOf(error) !== 'constraint'
}
