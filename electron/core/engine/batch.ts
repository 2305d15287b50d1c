/** Group commit: writes requested while another is under way go to the store together, in one transaction. */
import {CordonError} from '#contract/errors.ts'
import {storeFaultOf} from '#core/store/faults.ts'

import type {Op, OpKind, OpOf, OpResult, OpResults, RunStore} from './port.ts'

/** Resolves once it is written. */
export type Submit = <K extends OpKind>(op: OpOf<K> & {kind: K}) => Promise<OpResults[K]>

interface Asked {
	op: Op
	resolve: (result: OpResult) => void
	reject: (error: unknown) => void
}

/** Writes of one transaction; the rest wait for the next. */
const most = 1000

export function groupCommit(store: Pick<RunStore, 'apply'>) {
	let waiting: Asked[] = []
	let isRunning = false
	const run = async () => {
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
			// Requests of one turn of the event loop share a batch.
			setImmediate(() => void run())
		})) as Submit
}

async function commit(store: Pick<RunStore, 'apply'>, batch: readonly Asked[]) {
	try {
		const results = await store.apply(batch.map(({op}) => op))
		// The port returns one result for each operation, in order.
		for (const [index, {resolve}] of batch.entries()) resolve(results[index] as OpResult)
	} catch (error) {
		const [only] = batch
		if (batch.length === 1) return only?.reject(error)
		if (isOfStore(error)) return batch.forEach(({reject}) => reject(error))
		// The whole batch was rolled back. One faulty write must not block the others.
		for (const one of batch) await commit(store, [one])
	}
}

/** After a disk error the batch may have been written: a second attempt would conflict with itself. */
function isOfStore(error: unknown) {
	return error instanceof CordonError && storeFaultOf(error) !== 'constraint'
}
