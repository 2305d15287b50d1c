/** A shade for the share of a whole that is marked, such as the compromised ones of a group: treemap and icicle. */
import {formatCount} from '#shared/text/numbers.ts'
import type {ChartTheme} from './theme.ts'
import type {LegendItem} from './view.ts'

/** A whole, and how many of it are marked. */
export interface Shaded {
	readonly value: number
	readonly marked: number
}

/** Shares of the marked, and how much of the tone they wear in percent. The label says the number. */
const shades = [
	{above: 0.05, tone: 100, words: 'more'},
	{above: 0.01, tone: 40, words: 'to 5 %'},
	{above: 0, tone: 20, words: 'to 1 %'},
] as const

/** How much of the strong line is in the ground; as in the legend of `Figure.tsx`. */
const groundShare = 0.35
/** Where the system replaced the colours, line and tone are its text's colour: names are written on little of it. */
const forcedGroundShare = 0.08

/** Fill and ink by the share that is marked. */
export function shadeOf({value, marked}: Shaded, theme: ChartTheme): {readonly color: string; readonly ink: string} {
	const share = value === 0 ? 0 : marked / value
	const tone = shades.find(({above}) => share > above)?.tone ?? 0
	const ground = theme.isForced
		? mix(theme.ink, theme.panel, forcedGroundShare)
		: mix(theme.tones.faint, theme.panel, groundShare)
	const color = mix(theme.tones.bad, ground, tone / 100)
	return {color, ink: tone === 100 ? theme.onTone : theme.ink}
}

/** Beside the shade, what is marked has a sign and its number. */
export function countOf({value, marked}: Shaded): string {
	return marked === 0 ? formatCount(value) : `${formatCount(value)} · ▲ ${formatCount(marked)}`
}

export function percentOf({value, marked}: Shaded): string {
	return value === 0 ? '–' : `${((marked / value) * 100).toFixed(1)} %`
}

export function legendOf(mark: string): readonly LegendItem[] {
	return [
		{name: `none ${mark}`, tone: 'bad', share: 0},
		...shades.toReversed().map(({words, tone}) => ({name: `▲ ${words}`, tone: 'bad' as const, share: tone})),
	]
}

/** Mixes two resolved colours, such as `rgb(1, 2, 3)`; `share` of the first, from 0 to 1. */
function mix(first: string, second: string, share: number): string {
	const [a, b] = [partsOf(first), partsOf(second)]
	if (a === null || b === null) return share >= 0.5 ? first : second
	const parts = a.map((part, index) => Math.round(part * share + (b[index] ?? 0) * (1 - share)))
	return `rgb(${parts.join(', ')})`
}

function partsOf(colour: string): readonly number[] | null {
	const parts = /^rgba?\(([^)]*)\)$/
		.exec(colour)?.[1]
		?.split(/[\s,/]+/)
		.slice(0, 3)
		.map(Number)
	return parts === undefined || parts.length < 3 || parts.some(Number.isNaN) ? null : parts
}
