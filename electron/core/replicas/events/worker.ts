/**
 * The writing thread of an event store, with its own connection to the file, so that the window's thread only reads. A separate
 * entry, started by `write-thread.ts`. One order is one transaction.
 */
import {parentPort, workerData, type MessagePort} from 'node:worker_threads'

import {reportError} from '#contract/errors.ts'

import type {Database} from '#core/store/database.ts'
import {openEventsForWriting} from './schema.ts'
import type {WriteAnswer} from '../kit/write-thread.ts'
import type {EventOrder, EventTask} from './write-task.ts'
import {makeEventWriter, type EventWriter, type Written} from './writer.ts'

function serve(port: MessagePort, path: string) {
	let open: {database: Database; writer: EventWriter} | undefined
	const writer = () => {
		if (open !== undefined) return open.writer
		const database = openEventsForWriting(path)
		open = {database, writer: makeEventWriter(database)}
		return open.writer
	}
	port.on('message', (order: EventOrder | 'close') => {
		if (order === 'close') {
			open?.database.close()
			return port.close()
		}
		port.postMessage(answer(order, writer))
	})
}

/** A file that cannot be opened fails the order, and is tried again for the next one. */
function answer({id, task}: EventOrder, writer: () => EventWriter): WriteAnswer<Written> {
	try {
		return {id, written: carryOut(writer(), task)}
	} catch (error) {
		return {id, error: reportError(error)}
	}
}

function carryOut(writer: EventWriter, task: EventTask) {
	switch (task.kind) {
		case 'events':
			return writer.put(task.batch)
		case 'types':
			return writer.types(task.types)
		case 'reading':
			return writer.reading(task.state)
		case 'trim':
			return writer.trim(task.options)
	}
}

// The starter passes exactly this.
if (parentPort !== null) serve(parentPort, (workerData as {path: string}).path)
