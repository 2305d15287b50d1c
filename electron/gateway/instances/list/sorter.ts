/** Sorts more lines than memory should hold: sorted runs on disk, merged while reading. Equal lines become one. */
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import {linesAt, type Batch} from './lines.ts'

export type Sorter = ReturnType<typeof createSorter>

/** Runs merged at once; each has one open file with a buffer. */
const mostRuns = 64
const batchLines = 1000

/** Lines of a run, and their total characters: the limit in memory. */
const mostLines = 20_000
const mostCharacters = 4_000_000

/** Writes its runs into `folder`, to be removed by its owner. */
export function createSorter(folder: string, name: string, runLines = mostLines) {
	let open: string[] = []
	let characters = 0
	let runs: string[] = []
	let written = 0

	async function write(batches: AsyncIterable<Batch> | Iterable<Batch>) {
		const path = join(folder, `${name}-${(written += 1)}`)
		await writeFile(path, textOf(batches), {mode: 0o600})
		return path
	}

	/** Await regularly: writes a full run to disk. */
	async function settle() {
		if (open.length < runLines && characters < mostCharacters) return
		const lines = sortedUnique(open)
		open = []
		characters = 0
		runs.push(await write(batchesOf(lines)))
		if (runs.length < mostRuns) return
		const merged = await write(merge(runs.map(path => linesAt(path))))
		await Promise.all(runs.map(path => rm(path)))
		runs = [merged]
	}

	/** In order of UTF-16 code units; once, after all were added. */
	async function* sorted(signal?: AbortSignal) {
		const rest = batchesOf(sortedUnique(open))
		open = []
		if (runs.length === 0) yield* rest
		else yield* merge([...runs.map(path => linesAt(path, signal)), rest])
	}

	/** The line must not hold a line feed. */
	function add(line: string) {
		open.push(line)
		characters += line.length
	}

	return {add, settle, sorted}
}

async function* textOf(batches: AsyncIterable<Batch> | Iterable<Batch>) {
	for await (const lines of batches) if (lines.length > 0) yield `${lines.join('\n')}\n`
}

function sortedUnique(lines: string[]) {
	lines.sort()
	return lines.filter((line, index) => line !== lines[index - 1])
}

function* batchesOf(lines: readonly string[]) {
	for (let at = 0; at < lines.length; at += batchLines) yield lines.slice(at, at + batchLines)
}

type Source = AsyncGenerator<Batch> | Generator<Batch>

interface Run {
	source: Source
	lines: Batch
	at: number
	line: string
}

/** Merges sorted sources without duplicates. */
async function* merge(sources: readonly Source[]) {
	const heap: Run[] = []
	try {
		for (const source of sources) {
			const run: Run = {source, lines: [], at: 0, line: ''}
			if (await refill(run)) push(heap, run)
		}
		yield* drained(heap)
	} finally {
		await Promise.all(sources.map(source => source.return(undefined)))
	}
}

async function* drained(heap: Run[]) {
	let out: string[] = []
	let last: string | null = null
	for (let top = heap[0]; top !== undefined; top = heap[0]) {
		if (top.line !== last) out.push((last = top.line))
		if (out.length >= batchLines) {
			yield out
			out = []
		}
		top.at += 1
		const next = top.lines[top.at]
		if (next !== undefined) top.line = next
		else if (!(await refill(top))) removeTop(heap)
		sink(heap)
	}
	yield out
}

async function refill(run: Run) {
	for (;;) {
		const {value, done} = await run.source.next()
		if (done === true) return false
		const first = value[0]
		if (first === undefined) continue
		Object.assign(run, {lines: value, at: 0, line: first})
		return true
	}
}

function removeTop(heap: Run[]) {
	const last = heap.pop()
	if (last !== undefined && heap.length > 0) heap[0] = last
}

function push(heap: Run[], run: Run) {
	let at = heap.push(run) - 1
	while (at > 0) {
		const above = (at - 1) >> 1
		const parent = heap[above]
		if (parent === undefined || parent.line <= run.line) break
		heap[at] = parent
		heap[above] = run
		at = above
	}
}

/** Sifts the top down. */
function sink(heap: Run[]) {
	const run = heap[0]
	if (run === undefined) return
	for (let at = 0; ;) {
		const child = smallerChild(heap, at)
		const below = heap[child]
		if (below === undefined || run.line <= below.line) return
		heap[at] = below
		heap[child] = run
		at = child
	}
}

function smallerChild(heap: readonly Run[], at: number) {
	const left = heap[2 * at + 1]
	const right = heap[2 * at + 2]
	return right !== undefined && left !== undefined && right.line < left.line ? 2 * at + 2 : 2 * at + 1
}
