import {readFileSync} from 'node:fs'
import {cpus, totalmem} from 'node:os'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

export interface Figure {
	name: string
	unit: 'ms' | 's' | 'MB' | 'calls' | 'rows' | 'x' | 'MB/s'
	values: readonly number[]
	/** The target of the issue or the architecture, in words. */
	target?: string
}

export function median(values: readonly number[]) {
	const sorted = [...values].toSorted((a, b) => a - b)
	const middle = Math.floor(sorted.length / 2)
	const upper = sorted[middle] ?? Number.NaN
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Memory of this process in MB, `heap` after a collection: what is still in use. */
export function memoryInUse(): {heap: number; resident: number} {
	setFlagsFromString('--expose-gc')
	// Only new contexts have `gc` after the flag is set.
	const collect = runInNewContext('gc') as () => void
	collect()
	const {heapUsed, rss} = process.memoryUsage()
	return {heap: heapUsed / 1e6, resident: rss / 1e6}
}

export function machine() {
	const processor = cpus()[0]?.model ?? 'unknown processor'
	return `${cpus().length} x ${processor}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}

/** A Markdown table: name, median, min, max, runs, target. */
export function table(figures: readonly Figure[]) {
	return markdown('figure | median | min | max | runs | target', figures.map(cellsOf))
}

export function row(figure: Figure) {
	return line(cellsOf(figure))
}

function cellsOf({name, unit, values, target}: Figure) {
	const [least, most] = [Math.min(...values), Math.max(...values)]
	return [name, `${round(median(values))} ${unit}`, round(least), round(most), values.length, target ?? '']
}

/** `titles`: with ` | ` between them. */
export function markdown(titles: string, rows: readonly (readonly unknown[])[]) {
	const heads = titles.split(' | ')
	return [heads, heads.map(() => '---'), ...rows].map(line).join('\n')
}

function line(cells: readonly unknown[]) {
	return `| ${cells.join(' | ')} |`
}

function round(value: number) {
	return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10)
}

/** Resident memory of a process and its children, in MB (Linux only; NaN elsewhere). */
export function memoryOf(pid: number): number {
	try {
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
		return children.reduce((sum, child) => sum + memoryOf(Number(child)), ownMemory(pid))
	} catch {
		return ownMemory(pid)
	}
}

function ownMemory(pid: number) {
	try {
		return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
	} catch {
		return Number.NaN
	}
}

/** The duration of each run in milliseconds. */
export async function times(runs: number, once: (run: number) => Promise<number> | number): Promise<readonly number[]> {
	const values: number[] = []
	for (let run = 0; run < runs; run += 1) values.push(await once(run))
	return values
}
