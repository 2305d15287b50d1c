import type {JoinedRow} from '#contract/log.ts'
import type {LogEntry} from '#model/incident.ts'
import {keyOf, unfolded} from './rows.ts'

const entry = (id: string) => ({id}) as LogEntry // nothing else is looked at
const line = (id: string, ...steps: string[]): JoinedRow => ({kind: 'own', entry: entry(id), steps: steps.map(entry)})

function listOf(...lines: JoinedRow[]) {
	const wanted: [number, number][] = []
	const want = (from: number, to: number) => void wanted.push([from, to])
	return {wanted, count: lines.length, row: (index: number) => lines[index], want}
}

const told = (rows: ReturnType<typeof unfolded>) =>
	Array.from({length: rows.count}, (_, index) => {
		const row = rows.row(index)
		return row === undefined ? '?' : `${row.inside === undefined ? '' : `${row.inside}/`}${keyOf(row)}`
	})

test('open lines show their entries below, also after new lines moved them, and ask for the pages of lines', () => {
	const [a, b, c] = [line('a', 'a1', 'a2'), line('b'), line('c', 'c1')]
	const opened = new Map([
		['c', 2],
		['a', 0]
	])
	expect(told(unfolded(listOf(a, b, c), opened))).toEqual(['a', 'a/a', 'a/a1', 'a/a2', 'b', 'c', 'c/c', 'c/c1'])
	const moved = listOf(line('new'), a, b, c)
	const rows = unfolded(moved, opened)
	expect(told(rows)).toEqual(['new', 'a', 'a/a', 'a/a1', 'a/a2', 'b', 'c', 'c/c', 'c/c1'])
	expect([rows.lineOf('a'), rows.lineOf('c'), rows.lineOf('b')]).toEqual([1, 6, undefined])
	rows.want(3, 7)
	expect(moved.wanted).toEqual([[1, 4]])
	expect(told(unfolded(listOf(b), opened))).toEqual(['b'])
})
