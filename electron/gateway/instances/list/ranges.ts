/** Sets of addresses as sorted ranges: merging and subtraction. */
import type {AddressRange} from './address.ts'

/** Merges overlapping and adjacent ranges, given sorted by family, start and end. */
export function* collapsed(ranges: Iterable<AddressRange>): Generator<AddressRange> {
	let open: AddressRange | null = null
	for (const range of ranges) {
		if (open === null) open = range
		else if (touches(open, range)) open = joined(open, range)
		else {
			yield open
			open = range
		}
	}
	if (open !== null) yield open
}

export function touches(open: AddressRange, next: AddressRange) {
	return open.family === next.family && next.start <= open.end + 1n
}

/** Merges two touching ranges, the first one starting first. */
export function joined(open: AddressRange, next: AddressRange): AddressRange {
	return {family: open.family, start: open.start, end: next.end > open.end ? next.end : open.end}
}

/** Sorted and merged, for {@link without}. */
export function rangeSet(ranges: readonly AddressRange[]): readonly AddressRange[] {
	return [...collapsed(ranges.toSorted(compareRanges))]
}

export function compareRanges(one: AddressRange, other: AddressRange) {
	if (one.family !== other.family) return one.family - other.family
	if (one.start !== other.start) return one.start < other.start ? -1 : 1
	if (one.end === other.end) return 0
	return one.end < other.end ? -1 : 1
}

/** A range minus a set of ranges; the same object when nothing is removed. */
export function without(range: AddressRange, set: readonly AddressRange[]): readonly AddressRange[] {
	let index = firstReaching(range, set)
	if (!meets(range, set[index])) return [range]
	const left: AddressRange[] = []
	let start = range.start
	for (let cut = set[index]; cut !== undefined && meets(range, cut); cut = set[(index += 1)]) {
		if (cut.start > start) left.push({family: range.family, start, end: cut.start - 1n})
		start = cut.end + 1n
	}
	if (start <= range.end) left.push({family: range.family, start, end: range.end})
	return left
}

function meets(range: AddressRange, cut: AddressRange | undefined) {
	return cut !== undefined && cut.family === range.family && cut.start <= range.end && cut.end >= range.start
}

/** Index of the first range of the set that does not end before this one. */
function firstReaching(range: AddressRange, set: readonly AddressRange[]) {
	let low = 0
	let high = set.length
	while (low < high) {
		const middle = (low + high) >> 1
		const at = set[middle]
		if (at !== undefined && (at.family < range.family || (at.family === range.family && at.end < range.start))) {
			low = middle + 1
		} else high = middle
	}
	return low
}
