import type {RowSource} from './types.ts'

/** Keys of the loaded rows between two indexes, inclusive. */
export function keysBetween<Row>(source: RowSource<Row>, rowKey: (row: Row) => string, a: number, b: number): readonly string[] {
	const keys: string[] = []
	for (let index = Math.min(a, b); index <= Math.max(a, b); index += 1) {
		const row = source.row(index)
		if (row !== undefined) keys.push(rowKey(row))
	}
	return keys
}

export function toggled(selection: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(selection)
	if (!next.delete(key)) next.add(key)
	return next
}
