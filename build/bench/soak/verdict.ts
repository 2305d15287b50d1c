/** Compares the medians of the beginning and the end of a long run. Pure. */
import {markdown, median} from '../measure.ts'

/** `at` is the share of the time that has passed, from 0 to 1. */
export interface Sample {
	at: number
	value: number
}

export interface Course {
	name: string
	unit: string
	samples: readonly Sample[]
	/** The most that its end may reach, given its beginning; and the same in words. */
	most(begin: number): number
	bound: string
}

export interface Verdict {
	table: string
	/** One sentence for each violation. */
	broken: readonly string[]
}

/** The first fifth is warm-up: copies are read, code is compiled. */
const beginning = {from: 0.2, to: 0.4}
const ending = {from: 0.8, to: 1}

export function judge(courses: readonly Course[]): Verdict {
	const judged = courses.map(judgeOne)
	const rows = judged.map(({row}) => row)
	return {table: markdown('figure | at the beginning | at the end | allowed', rows), broken: judged.flatMap(({broken}) => broken ?? [])}
}

function judgeOne({name, unit, samples, most, bound}: Course) {
	const begin = middleOf(samples, beginning)
	const end = middleOf(samples, ending)
	const row = [name, `${shown(begin)} ${unit}`, `${shown(end)} ${unit}`, bound]
	if (Number.isNaN(begin) || Number.isNaN(end)) return {row, broken: `${name}: it was not measured.`}
	const isKept = end <= most(begin)
	return {row, broken: isKept ? null : `${name}: ${shown(begin)} became ${shown(end)} ${unit}; ${bound} is allowed.`}
}

/** How many times longer it took at the end than at the beginning; at least 1. */
export function slowdown(samples: readonly Sample[]) {
	const ratio = middleOf(samples, ending) / middleOf(samples, beginning)
	return ratio > 1 ? ratio : 1
}

/** The median of each fifth of the time: steady growth looks different from a step. */
export function fifths(samples: readonly Sample[]): readonly number[] {
	return [0, 0.2, 0.4, 0.6, 0.8].map(from => middleOf(samples, {from, to: from + 0.2}))
}

function middleOf(samples: readonly Sample[], {from, to}: typeof beginning) {
	return median(samples.filter(({at}) => at >= from && at <= to).map(({value}) => value))
}

function shown(value: number) {
	return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}
