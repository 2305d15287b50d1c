/** Builds a list from its sources into a separate folder: everything or nothing. */
import {createHash} from 'node:crypto'
import {type FileHandle, mkdir, open, rm} from 'node:fs/promises'
import {join} from 'node:path'

import type {ListService} from '#model/instance.ts'
import {type Batch, linesAt} from './lines.ts'
import {neverOf} from './never.ts'
import {type Base, type Piece, valueOfLine, valuesOf, writerOf} from './render.ts'
import {createSorter, type Sorter} from './sorter.ts'
import {linesOfSource, type LocalSource, sourceFailed} from './sources.ts'
import {type Check, checkOf, valueOf} from './values.ts'
import {defaultVariant, type Variant} from './variant.ts'

/** Facts of a body, for headers and sidecars. */
export interface BodyFacts {
	bytes: number
	values: number
	/** Hex, of exactly these bytes. */
	sha256: string
	md5: string
}

export interface BuildFacts {
	/** Values of the sources, before processing. */
	originSize: number
	dropped: number
	/** Bodies for the default arguments, as text and in the list's own format; files are named after formats. */
	bodies: Readonly<Partial<Record<ListService['format'], BodyFacts>>>
	/** Values in the default form. */
	entries: number
	/** SHA-256 of the values that do not fit the type, which only some variants include. */
	invalid: string
	/** `null` without an older list of the same type. */
	difference: Difference | null
}

/** Plain values, because it is passed to a thread. */
export interface BuildTask {
	readonly definition: ListService
	readonly sources: readonly LocalSource[]
	/** Existing folder of the build. */
	readonly folder: string
	readonly previous: Base | null
}

export function baseIn(folder: string, type: Base['type']): Base {
	return {type, valid: join(folder, 'valid'), invalid: join(folder, 'invalid')}
}

/** Rejects with a `CordonError` that names the faulty source. */
export async function build(task: BuildTask, signal: AbortSignal): Promise<BuildFacts> {
	const scratch = join(task.folder, 'runs')
	await mkdir(scratch, {mode: 0o700})
	const facts = await withFile(join(task.folder, 'log'), file => buildInto(task, signal, createBuildLog(file), scratch))
	await rm(scratch, {recursive: true, force: true})
	return facts
}

async function buildInto(task: BuildTask, signal: AbortSignal, log: BuildLog, scratch: string): Promise<BuildFacts> {
	const {definition, folder, previous} = task
	const base = baseIn(folder, definition.type)
	const sorters = {valid: createSorter(scratch, 'valid'), invalid: createSorter(scratch, 'invalid')}
	const counts = await gather(task, signal, log, sorters)
	await writeLines(base.valid, sorters.valid.sorted(signal))
	const invalid = await writeLines(base.invalid, sorters.invalid.sorted(signal))
	const bodies = await writeBodies(base, task, signal)
	const entries = bodies.text?.values ?? 0
	const difference = previous === null ? null : await compare(previous, base, log, signal)
	await log.end()
	return {...counts, bodies, entries, invalid, difference}
}

interface Sorters {
	valid: Sorter
	invalid: Sorter
}

async function gather({definition, sources}: BuildTask, signal: AbortSignal, log: BuildLog, sorters: Sorters) {
	const never = neverOf(definition)
	for (const value of never.unread) log.line('Note', '', value, 'of "never" is not a value of any list: it protects nothing')
	const take = taker(checkOf(definition.type, never), definition, log, sorters)
	const total = {originSize: 0, dropped: 0}
	for (const source of sources) {
		try {
			for await (const batch of linesOfSource(source, signal)) {
				for (const line of batch) take(line, total)
				await Promise.all([sorters.valid.settle(), sorters.invalid.settle(), log.settle()])
			}
		} catch (error) {
			signal.throwIfAborted()
			throw sourceFailed(source.name, error)
		}
	}
	return total
}

function taker(check: Check, definition: ListService, log: BuildLog, sorters: Sorters) {
	return (line: string, total: {originSize: number; dropped: number}) => {
		const raw = valueOf(line)
		if (raw === null) return
		total.originSize += 1
		const {lines, reason, value, invalid} = check(raw)
		for (const one of lines) sorters.valid.add(one)
		if (reason === null) return
		const keep = invalid && canBeKept(raw)
		if (keep) sorters.invalid.add(raw)
		if (lines.length > 0) log.line('Modified', value ?? '', raw, reason)
		else if (keep && !definition.dropInvalid) log.line('Note', raw, raw, `${reason}, and is kept as invalid values are`)
		else {
			total.dropped += 1
			log.line('Dropped', '', raw, reason)
		}
	}
}

/** Even an invalid value must not break the lines around it. */
function canBeKept(raw: string) {
	return raw.length <= 2000 && raw.isWellFormed() && !/[\u0000-\u001f\u007f\u2028\u2029]/.test(raw)
}

/** Resolves with the SHA-256 of the written bytes. */
async function writeLines(path: string, batches: AsyncIterable<Batch>) {
	const hash = createHash('sha256')
	await withFile(path, async file => {
		for await (const lines of batches) {
			const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`
			hash.update(text)
			await file.appendFile(text)
		}
	})
	return hash.digest('hex')
}

/** Default arguments, in one pass for all formats. */
async function writeBodies(base: Base, {definition, folder}: BuildTask, signal: AbortSignal): Promise<BuildFacts['bodies']> {
	const variant = defaultVariant(definition)
	const formats = [...new Set<ListService['format']>(['text', definition.format])]
	const open = await Promise.all(formats.map(async format => ({format, ...(await openBody(join(folder, format), base, {...variant, format}))})))
	try {
		for await (const batch of valuesOf(base, variant, signal)) for (const body of open) await body.add(batch)
		return Object.fromEntries(await Promise.all(open.map(async body => [body.format, await body.end()] as const)))
	} finally {
		await Promise.all(open.map(body => body.close()))
	}
}

async function openBody(path: string, base: Base, variant: Variant) {
	const file = await open(path, 'wx', 0o600)
	const writer = writerOf(base, variant)
	const meter = bodyMeter()
	const write = async (piece: Piece) => {
		meter.add(piece)
		if (piece.bytes.length > 0) await file.appendFile(piece.bytes)
	}
	return {
		add: (batch: Batch) => write(writer.piece(batch)),
		end: async () => {
			await write(writer.end())
			await file.sync()
			return meter.facts()
		},
		close: () => file.close()
	}
}

/** Measures a body in passing. */
export function bodyMeter(): {add(piece: Piece): void; facts(): BodyFacts} {
	const [sha256, md5] = [createHash('sha256'), createHash('md5')]
	const total = {bytes: 0, values: 0}
	return {
		add: ({bytes, values}) => {
			total.bytes += bytes.length
			total.values += values
			sha256.update(bytes)
			md5.update(bytes)
		},
		facts: () => ({...total, sha256: sha256.digest('hex'), md5: md5.digest('hex')})
	}
}

async function compare(previous: Base, next: Base, log: BuildLog, signal: AbortSignal) {
	return compareSorted(linesAt(previous.valid, signal), linesAt(next.valid, signal), {
		lost: line => log.line('Removed', valueOfLine(line, next.type), '', 'was in the list before'),
		gained: line => log.line('Added', valueOfLine(line, next.type), '', 'was not in the list before'),
		settle: () => log.settle()
	})
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>) {
	const file = await open(path, 'wx', 0o600)
	try {
		const result = await work(file)
		await file.sync()
		return result
	} finally {
		await file.close()
	}
}

/** The log of a build, in the format of the original: `Action | Indicator | Raw Indicator | Reason`. */
type Action = 'Added' | 'Removed' | 'Modified' | 'Dropped' | 'Note'

type BuildLog = ReturnType<typeof createBuildLog>

/** A source of garbage must not fill the disk with its log. */
const mostLines = 100_000

function createBuildLog(file: FileHandle) {
	let open = 'Action | Indicator | Raw Indicator | Reason\n'
	const written = new Map<Action, number>()

	function line(action: Action, value: string, raw: string, reason: string) {
		const lines = (written.get(action) ?? 0) + 1
		written.set(action, lines)
		if (lines <= mostLines) open += `${action} | ${plain(value)} | ${plain(raw)} | ${reason}\n`
	}

	async function write() {
		const text = open
		open = ''
		await file.appendFile(text)
	}

	/** Adds the number of omitted lines. Does not close the file. */
	async function end() {
		for (const [action, lines] of written) {
			if (lines > mostLines) open += `Note |  |  | ${lines - mostLines} more lines "${action}" are not shown\n`
		}
		await write()
	}

	return {
		line,
		/** Await regularly: writes the collected lines. */
		settle: async () => (open.length > 65_536 ? write() : undefined),
		end
	}
}

/** One line of readable length. */
function plain(text: string) {
	const clean = text.replaceAll(/[\u0000-\u001f\u007f]/g, '?')
	return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean
}

/** Compares two sorted lists without duplicates while reading. */
interface Difference {
	/** Lines of the old list missing in the new one. */
	lost: number
	gained: number
	/** Lines of the old list. */
	before: number
}

interface OnDifference {
	lost(line: string): void
	gained(line: string): void
	/** Await after each batch. */
	settle(): Promise<void>
}

export async function compareSorted(before: AsyncGenerator<Batch>, after: AsyncGenerator<Batch>, on: OnDifference): Promise<Difference> {
	const [one, other] = [cursor(before), cursor(after)]
	const count = {lost: 0, gained: 0, before: 0}
	await Promise.all([one.fill(), other.fill()])
	while (one.line !== undefined || other.line !== undefined) {
		const [old, now] = [one.line, other.line]
		if (old !== undefined && (now === undefined || old < now)) {
			count.lost += 1
			on.lost(old)
		} else if (now !== undefined && (old === undefined || now < old)) {
			count.gained += 1
			on.gained(now)
		}
		if (old !== undefined && (now === undefined || old <= now)) {
			count.before += 1
			if (!one.next()) await Promise.all([one.fill(), on.settle()])
		}
		if (now !== undefined && (old === undefined || now <= old) && !other.next()) {
			await Promise.all([other.fill(), on.settle()])
		}
	}
	return count
}

function cursor(source: AsyncGenerator<Batch>) {
	let lines: Batch = []
	let at = 0
	return {
		get line() {
			return lines[at]
		},
		/** `false`: the batch is consumed. */
		next: () => (at += 1) < lines.length,
		fill: async () => {
			do {
				const {value, done} = await source.next()
				lines = done === true ? [] : value
				at = 0
				if (done === true) return
			} while (lines.length === 0)
		}
	}
}
