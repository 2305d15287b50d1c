import type {JoinedRow} from '#contract/log.ts'
import type {LogEntry} from '#model/incident.ts'

/** A line of the log, or an entry inside an open one. */
export type LogRow = JoinedRow & {
	isOpen?: boolean
	/** Key of the line around this entry. */
	inside?: string
}

export function keyOf(row: JoinedRow) {
	return row.kind === 'own' ? row.entry.id : row.record.key
}

/** Entries that a line folds, oldest first; none where it stands for one only. */
export function foldedIn(row: LogRow): readonly LogEntry[] {
	return row.kind === 'own' && row.steps.length > 0 ? [row.entry, ...row.steps] : []
}

interface Lines {
	count: number
	row(index: number): JoinedRow | undefined
	want(from: number, to: number): void
}

interface Rows extends Omit<Lines, 'row'> {
	row(index: number): LogRow | undefined
	/** Index of the line of this key, if it is open. */
	lineOf(key: string): number | undefined
}

/** How far new lines may have moved an open one since it was last found. */
const farthest = 300

/** The lines with the entries of the open ones below them. `opened`: key, and where its line was last found; kept up to date. */
export function unfolded(lines: Lines, opened: Map<string, number>): Rows {
	const open = [...opened].flatMap(([key, near]) => {
		const index = indexNear(lines, key, near)
		const row = index === undefined ? undefined : lines.row(index)
		if (index === undefined || row === undefined) return []
		opened.set(key, index)
		return [{key, index, row: {...row, isOpen: true}, entries: foldedIn(row)}]
	})
	open.sort((one, other) => one.index - other.index)
	const placeOf = (place: number): {line: number; row?: LogRow | undefined} => {
		let extra = 0
		for (const {key, index, row, entries} of open) {
			const part = place - index - extra
			if (part < 0) break
			if (part === 0) return {line: index, row}
			const entry = entries[part - 1]
			if (entry !== undefined) return {line: index, row: {kind: 'own', entry, steps: [], inside: key}}
			extra += entries.length
		}
		return {line: place - extra}
	}
	return {
		count: open.reduce((sum, {entries}) => sum + entries.length, lines.count),
		row(index) {
			const {line, row = lines.row(line)} = placeOf(index)
			return row
		},
		want: (from, to) => lines.want(placeOf(from).line, placeOf(Math.max(from, to - 1)).line + 1),
		lineOf(key) {
			const line = open.find(each => each.key === key)
			if (line === undefined) return undefined
			return open.reduce((sum, {index, entries}) => sum + (index < line.index ? entries.length : 0), line.index)
		}
	}
}

export function indexNear(lines: Lines, key: string, near: number, most = farthest) {
	for (let step = 0; step <= most; step += 1)
		for (const index of [near + step, near - step]) {
			const row = index < 0 || index >= lines.count ? undefined : lines.row(index)
			if (row !== undefined && keyOf(row) === key) return index
		}
	return undefined
}
