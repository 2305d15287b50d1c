/** "Did you mean": the candidate most similar to the typed text, if similar enough. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
	return nearOnes(typed, candidates)[0] ?? onlyContaining(typed.toLowerCase(), candidates)
}

/** The most similar ones first, then those that contain the typed text; at most `most`. */
export function nearestFew(typed: string, candidates: readonly string[], most: number): readonly string[] {
	const wanted = typed.toLowerCase()
	const holding = wanted.length < 3 ? [] : candidates.filter(each => each.toLowerCase().includes(wanted))
	return [...new Set([...nearOnes(typed, candidates), ...holding])].slice(0, most)
}

function nearOnes(typed: string, candidates: readonly string[]) {
	const wanted = typed.toLowerCase()
	const tolerance = Math.max(2, Math.floor(wanted.length / 3))
	return candidates
		.map(candidate => ({candidate, distance: distanceOf(wanted, candidate.toLowerCase())}))
		.filter(({distance}) => distance <= tolerance)
		.toSorted((left, right) => left.distance - right.distance)
		.map(({candidate}) => candidate)
}

/** A suggestion: the similar candidate, if any, before the general advice. */
export function suggest(typed: string, candidates: readonly string[], otherwise: string) {
	const candidate = nearest(typed, candidates)
	return candidate === undefined ? otherwise : `did you mean ${candidate}? ${otherwise.charAt(0).toUpperCase()}${otherwise.slice(1)}`
}

function onlyContaining(wanted: string, candidates: readonly string[]) {
	if (wanted.length < 3) return undefined
	const holding = candidates.filter(candidate => candidate.toLowerCase().includes(wanted))
	return holding.length === 1 ? holding[0] : undefined
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function distanceOf(left: string, right: string) {
	let beforeLast: readonly number[] = []
	let last: readonly number[] = Array.from({length: right.length + 1}, (_, index) => index)
	for (let row = 1; row <= left.length; row += 1) {
		const current = nextRow(left, right, row, last, beforeLast)
		beforeLast = last
		last = current
	}
	return last[right.length] ?? 0
}

function nextRow(left: string, right: string, row: number, last: readonly number[], beforeLast: readonly number[]) {
	const current = [row]
	for (let column = 1; column <= right.length; column += 1) {
		const same = left[row - 1] === right[column - 1]
		const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
		current.push(
			Math.min(
				at(last, column) + 1,
				at(current, column - 1) + 1,
				at(last, column - 1) + (same ? 0 : 1),
				swapped ? at(beforeLast, column - 2) + 1 : Infinity
			)
		)
	}
	return current
}

function at(row: readonly number[], column: number) {
	return row[column] ?? Infinity
}
