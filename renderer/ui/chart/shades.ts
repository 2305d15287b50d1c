/** A shade for the marked share of a whole, such as a group's compromised computers: treemap and icicle. */
import {counted, formatCount, type Forms} from '#text/numbers.ts'
import type {ChartTheme} from './theme.ts'
import type {LegendItem} from './view.ts'

/** A whole, and its marked part. */
export interface Shaded {
	value: number
	marked: number
}

/** Shares of the marked part, and the percentage of the tone. The label has the number. */
const shades = [
	{above: 0.05, tone: 100, words: 'more'},
	{above: 0.01, tone: 40, words: 'to 5%'},
	{above: 0, tone: 20, words: 'to 1%'}
] as const

/** Share of the strong line in the background; as in the legend of `Figure.tsx`. */
const groundShare = 0.35
/** With forced colours, line and tone are the text colour: names need a light background. */
const forcedGroundShare = 0.08

/** Fill and text colour by marked share. */
export function shadeOf({value, marked}: Shaded, theme: ChartTheme) {
	const share = value === 0 ? 0 : marked / value
	const tone = shades.find(({above}) => share > above)?.tone ?? 0
	const ground = theme.isForced ? mix(theme.ink, theme.panel, forcedGroundShare) : mix(theme.tones.faint, theme.panel, groundShare)
	const color = mix(theme.tones.bad, ground, tone / 100)
	return {color, ink: tone === 100 ? theme.onTone : theme.ink}
}

/** Besides the shade, the marked part has a symbol and its number. */
export function countOf({value, marked}: Shaded) {
	return marked === 0 ? formatCount(value) : `${formatCount(value)} · ▲ ${formatCount(marked)}`
}

/** `10 computers, 1 compromised`. */
export function countsOf({value, marked}: Shaded, unit: Forms, mark: string) {
	return `${counted(value, unit)}, ${formatCount(marked)} ${mark}`
}

export function percentOf({value, marked}: Shaded) {
	return value === 0 ? '–' : `${((marked / value) * 100).toFixed(1)}%`
}

export function legendOf(mark: string): readonly LegendItem[] {
	return [
		{name: `none ${mark}`, tone: 'bad', share: 0},
		...shades.toReversed().map(({words, tone}) => ({name: `▲ ${words}`, tone: 'bad' as const, share: tone}))
	]
}

/** Mixes two resolved colours, such as `rgb(1, 2, 3)`; `share` of the first, from 0 to 1. */
function mix(first: string, second: string, share: number) {
	const [a, b] = [partsOf(first), partsOf(second)]
	if (a === null || b === null) return share >= 0.5 ? first : second
	const parts = a.map((part, index) => Math.round(part * share + (b[index] ?? 0) * (1 - share)))
	return `rgb(${parts.join(', ')})`
}

function partsOf(colour: string) {
	const parts = /^rgba?\(([^)]*)\)$/
		.exec(colour)?.[1]
		?.split(/[\s,/]+/)
		.slice(0, 3)
		.map(Number)
	return parts === undefined || parts.length < 3 || parts.some(Number.isNaN) ? null : parts
}
