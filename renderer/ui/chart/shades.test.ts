import {patternOf} from './looks.ts'
import {countsOf, shadeOf} from './shades.ts'
import type {ChartTheme} from './theme.ts'

const black = 'rgb(0, 0, 0)'
const white = 'rgb(255, 255, 255)'

/** The colours of a system with forced colours: one for text, one for the background. */
function forced(ink: string, ground: string): ChartTheme {
	const inks = {ink, ink2: ink, ink3: ink, line: ink, panel: ground, sunken: ground, focus: ink, onTone: ground}
	const tones = {bad: ink, warn: ink, accent: ink, ok: ink, hold: ink, dim: ink, faint: ink}
	return {...inks, tones, font: 'sans-serif', isForced: true, isPatterned: true}
}

test('with the colours of the system every shade keeps its name readable, and the shades differ', () => {
	for (const theme of [forced(black, white), forced(white, black)]) {
		const shades = [0, 1, 4, 50].map(marked => shadeOf({value: 100, marked}, theme))
		for (const {color, ink} of shades) expect(contrast(color, ink)).toBeGreaterThan(4.5)
		expect(new Set(shades.map(({color}) => color)).size).toBe(shades.length)
	}
})

test('both counts have their unit', () => {
	expect(countsOf({value: 1, marked: 1}, ['computer', 'computers'], 'compromised')).toBe('1 computer, 1 compromised')
})

test('tones are solid, but where colours alone do not tell them apart', () => {
	const theme = forced(black, white)
	const patterns = (['bad', 'warn', 'ok', 'hold', 'dim'] as const).map(tone => JSON.stringify(patternOf(tone, theme)))
	expect(new Set(patterns).size).toBe(5)
	expect(patternOf('bad', {...theme, isPatterned: false})).toBeUndefined()
})

/** WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string) {
	const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
	return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string) {
	const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(part => {
		const share = Number(part) / 255
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
	})
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
