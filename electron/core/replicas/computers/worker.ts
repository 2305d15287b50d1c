/**
 * The writing thread of one local copy, with its own connection: it writes listings, so that the window's thread only reads.
 * It is an entry point; `write-thread.ts` starts it.
 */
import {parentPort, receiveMessageOnPort, workerData, type MessagePort} from 'node:worker_threads'

import {CordonError, reportError} from '#contract/errors.ts'
import {computerSchema, type Computer} from '#model/computer.ts'
import {parseExact} from '#model/exact-json.ts'
import {oddKey, oddOf} from '#model/odd.ts'

import {readPage} from '#core/service/api/endpoints/endpoint.ts'
import {openForWriting} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'
import type {WriteAnswer} from '../kit/write-thread.ts'
import {type ListingState, writeListing} from './listing-state.ts'
import type {Reading} from './rows.ts'
import {
	signal,
	type ReadComputer,
	type ReadOrder,
	type ToWriter,
	type WriteOrder,
	type WriterAnswer,
	type WriterData,
	type WriteTask
} from './write-task.ts'
import {makeWriter, type Writer} from './writer.ts'

/** The longest transaction, in milliseconds, so that a small write of another process waits no longer. */
const transactionMs = 150
/** The pause between transactions, in milliseconds. Other processes look every 3 ms whether they can begin. */
const gapMs = 8

type Answer = WriteAnswer<WriterAnswer>

type RecordsTask = Extract<WriteTask, {kind: 'records' | 'page'}>

interface Queue {
	orders: WriteOrder[]
	/** Read before anything else is written: more is asked for once they are answered. */
	pages: ReadOrder[]
	/** Records of pages that were read, until they are written. */
	held: Map<number, readonly Computer[]>
	/** Records of the first order that are written. */
	written: number
	changed: boolean
	closing: boolean
	/** Of the newest order. */
	ahead: number
}

/** Throws when the file cannot be opened. Returns the message handler. */
function serve(port: MessagePort, {path, signals}: WriterData): (message: ToWriter) => void {
	const queue: Queue = {orders: [], pages: [], held: new Map(), written: 0, changed: false, closing: false, ahead: 0}
	const database = openForWriting(path, 12_288)
	const writer = makeWriter(database, () => Date.now() + queue.ahead)
	const isCut = () => Atomics.load(signals, signal.cut) !== 0
	const answer = (message: Answer) => port.postMessage(message)

	const end = () => {
		database.close()
		port.close()
	}
	let scheduled = false
	const schedule = () => {
		if (scheduled) return
		scheduled = true
		setImmediate(turn)
	}
	const turn = () => {
		scheduled = false
		if (isCut()) return end()
		const page = queue.pages.shift()
		if (page !== undefined) return void readNext(page)
		const first = queue.orders[0]
		if (first === undefined) return queue.closing ? end() : undefined
		for (const message of writeSome({database, writer, queue, signals, port})) answer(message)
		if (queue.orders.length > 0) makeWay(signals)
		schedule()
	}
	const readNext = async (page: ReadOrder) => {
		answer(await read(queue, page))
		schedule()
	}
	return message => {
		take(queue, message)
		schedule()
	}
}

function take(queue: Queue, message: ToWriter) {
	if (message === 'close') return void (queue.closing = true)
	if ('bytes' in message) return void queue.pages.push(message)
	queue.ahead = message.ahead
	queue.orders.push(message)
}

/** The marks take a fraction of what the records do. */
async function read({held}: Queue, {id, bytes, encoding}: ReadOrder): Promise<Answer> {
	try {
		const page = await readPage(bytes, encoding, computerSchema)
		if ('errors' in page) return {id, written: page}
		held.set(id, page.records)
		return {id, written: {...page, records: page.records.map(record => markOf(record, id))}}
	} catch (error) {
		return {id, error: reportError(error)}
	}
}

function markOf(record: Computer, held: number): ReadComputer {
	return {connector_guid: record.connector_guid, held, ...(oddOf(record) !== undefined && {[oddKey]: true})}
}

interface Work {
	database: Database
	writer: Writer
	queue: Queue
	signals: Int32Array<SharedArrayBuffer>
	port: MessagePort
}

/** Runs one transaction. Returns the answers to finished orders. */
function writeSome(work: Work) {
	const {queue} = work
	const [first] = queue.orders
	if (first === undefined) return []
	const {task} = first
	if (hasRecords(task)) return writeRecords(work)
	queue.orders.shift()
	return [attempt(first.id, () => writeOther(work, task))]
}

function hasRecords(task: WriteTask): task is RecordsTask {
	return task.kind === 'records' || task.kind === 'page'
}

function writeOther({database, writer, queue}: Work, task: Exclude<WriteTask, RecordsTask>) {
	return database.transaction(() => {
		if (task.kind === 'groups') {
			const changed = writer.groups(task.groups, task.at)
			return writer.groupsListedSince(task.at) || changed
		}
		queue.held.clear()
		const changed = task.whole !== null && writer.listedSince(task.whole.startedAt, task.whole.at)
		writeListing(database, task.listing)
		return changed
	})
}

function attempt(id: number, work: () => boolean): Answer {
	try {
		return {id, written: work()}
	} catch (error) {
		return {id, error: reportError(error)}
	}
}

function writeRecords({database, writer, queue, signals, port}: Work) {
	const end = performance.now() + transactionMs
	const done: number[] = []
	let listing: ListingState | null = null
	const started = new Set<number>()

	const next = () => {
		if (mustStop(signals) || performance.now() > end) return undefined
		for (;;) {
			const order = queue.orders[0]
			if (order === undefined || !hasRecords(order.task)) return undefined
			started.add(order.id)
			const reading = readingAt(queue, order.task)
			if (reading !== undefined) {
				queue.written += 1
				return reading
			}
			if (order.task.kind === 'page') listing = order.task.listing
			done.push(order.id)
			drop(queue)
			fill(queue, port)
		}
	}
	try {
		const changed = writer.put(next, () => listing !== null && writeListing(database, listing))
		queue.changed ||= changed
		const all = queue.changed
		if (done.length > 0) queue.changed = false
		return done.map(id => ({id, written: all}))
	} catch (error) {
		return failed(queue, started, error)
	}
}

/** The next reading of the first order, if there is another. */
function readingAt({held, written}: Queue, task: RecordsTask): Reading | undefined {
	const at = Math.floor(task.at)
	if (task.kind === 'records') {
		const json = task.texts[written]
		// The window's thread wrote it from a checked record.
		return json === undefined ? undefined : {record: parseExact(json) as unknown as Computer, json, at, merged: true}
	}
	const records = task.held === null ? [] : held.get(task.held)
	if (records === undefined) throw new CordonError('storage', 'A page was lost with the thread that had read it.')
	const record = records[written]
	return record === undefined ? undefined : {record, at, merged: false}
}

/** Takes the first order off the queue. */
function drop(queue: Queue) {
	const task = queue.orders.shift()?.task
	queue.written = 0
	if (task?.kind === 'page' && task.held !== null) queue.held.delete(task.held)
}

function mustStop(signals: Int32Array<SharedArrayBuffer>) {
	return Atomics.load(signals, signal.waiting) > 0 || Atomics.load(signals, signal.cut) !== 0
}

/** Takes messages that arrive during this transaction. */
function fill(queue: Queue, port: MessagePort) {
	for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
		take(queue, got.message as ToWriter)
	}
}

/** The transaction wrote none of the orders that it touched. */
function failed(queue: Queue, started: ReadonlySet<number>, error: unknown) {
	while (queue.orders[0] !== undefined && started.has(queue.orders[0].id)) drop(queue)
	queue.changed = false
	const report = reportError(error)
	return [...started].map(id => ({id, error: report}))
}

function makeWay(signals: Int32Array<SharedArrayBuffer>) {
	const asleep = new Int32Array(new SharedArrayBuffer(4))
	do Atomics.wait(asleep, 0, 0, gapMs)
	while (Atomics.load(signals, signal.waiting) > 0 && Atomics.load(signals, signal.cut) === 0)
}

/** When the file cannot be opened, the caller of the write gets the error; the next write tries again. */
function start(port: MessagePort, data: WriterData) {
	let serving: ((message: ToWriter) => void) | undefined
	port.on('message', (message: ToWriter) => {
		if (message === 'close' && serving === undefined) return port.close()
		try {
			serving ??= serve(port, data)
		} catch (error) {
			return message !== 'close' && port.postMessage({id: message.id, error: reportError(error)})
		}
		serving(message)
	})
}

if (parentPort !== null) start(parentPort, workerData as WriterData)
