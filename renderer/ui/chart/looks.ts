/** Common styles of charts, for ECharts. */
import {omitUndefined} from '#shared/omit-undefined.ts'
import {showUnseenOnScreen} from '#text/foreign.ts'

import type {ChartTheme, Tone} from './theme.ts'
import type {View} from './view.ts'

/** Font size of charts in pixels (`--text-xs`). */
export const fontSize = 11

/** The pattern of a tone, where colours alone do not tell; `undefined` is plain. */
export function patternOf(tone: Tone, theme: ChartTheme): object | undefined {
	if (!theme.isPatterned) return undefined
	const color = theme.panel
	const base = {color, symbolSize: 1}
	switch (tone) {
		case 'bad':
			return {...base, dashArrayX: [1, 0], dashArrayY: [1.5, 4], rotation: -Math.PI / 4}
		case 'warn':
			return {...base, symbol: 'circle', dashArrayX: [[5, 5]], dashArrayY: [5, 0], symbolSize: 0.45}
		case 'ok':
			return {...base, dashArrayX: [1, 0], dashArrayY: [1, 4]}
		case 'hold':
			return {...base, dashArrayX: [1, 0], dashArrayY: [1.5, 4], rotation: Math.PI / 4}
		case 'dim':
			return {...base, dashArrayX: [1, 4], dashArrayY: [1, 0]}
		default:
			return undefined
	}
}

export function fillOf(tone: Tone, theme: ChartTheme): object {
	return {color: theme.tones[tone], ...omitUndefined({decal: patternOf(tone, theme)})}
}

export function categoryAxis(theme: ChartTheme): object {
	return {type: 'category', axisLine: {lineStyle: {color: theme.tones.faint}}, axisTick: {show: false}}
}

/** The index of what a tooltip is about, along an axis the first at it; -1 for nothing. */
export function indexOf(params: unknown) {
	const first: unknown = Array.isArray(params) ? params[0] : params
	return typeof first === 'object' && first !== null && 'dataIndex' in first ? Number(first.dataIndex) : -1
}

/** A tooltip drawn on the canvas, not HTML. */
export function tooltipLook(theme: ChartTheme): object {
	return {
		renderMode: 'richText',
		confine: true,
		backgroundColor: theme.panel,
		borderColor: theme.tones.faint,
		borderWidth: 1,
		padding: [6, 10],
		transitionDuration: 0,
		textStyle: {color: theme.ink, fontFamily: theme.font, fontSize: 12, lineHeight: 17}
	}
}

/** Common part of options: fonts, and the title of a file. */
export function basics({theme}: View): object {
	return {textStyle: {fontFamily: theme.font, fontSize, color: theme.ink2}, animationDuration: 160, animationDurationUpdate: 0}
}

/** Label text: rich-text markup is escaped, and nothing is hidden. */
export function plain(text: string) {
	return showUnseenOnScreen(text).replaceAll('{', '{\u200b')
}
