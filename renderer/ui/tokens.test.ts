import {globSync, readFileSync} from 'node:fs'

import {connectionColours} from '#model/connection.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

test('text on the connection colours and on panels has a contrast of 4.5 and more, in every theme', () => {
	const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad', 'hold']
	const pairs = [
		...connectionColours.map(colour => [`connection-${colour}`, 'connection-ink']),
		...texts.flatMap(text => ['panel', 'bg', 'hover', 'accent-soft'].map(ground => [ground, text])),
		...['ok', 'warn', 'bad', 'hold'].map(tone => [`${tone}-soft`, tone]),
		['accent', 'accent-ink'],
		['bad', 'bad-ink']
	] as const
	const poor = themes.flatMap(theme =>
		pairs.filter(([a, b]) => contrast(theme.colour(a ?? ''), theme.colour(b ?? '')) < 4.5).map(pair => `${theme.name}: ${pair.join(' / ')}`)
	)
	expect(poor).toEqual([])
})

test('each palette keeps the colours of states distinct for its kind of colour blindness', () => {
	const states = ['ok', 'warn', 'bad', 'hold']
	const pairs = states.flatMap((one, index) => states.slice(index + 1).map(other => [one, other] as const))
	for (const {name, palette, colour} of themes) {
		if (palette === 'usual') continue
		const close = pairs.filter(([one, other]) => distance(seen(palette, colour(one)), seen(palette, colour(other))) < 0.15)
		expect({name, close}).toEqual({name, close: []})
	}
})

test('the usual colours do not: that is what the palettes are for', () => {
	const [light] = themes
	expect(distance(seen('deuteranopia', light?.colour('ok') ?? ''), seen('deuteranopia', light?.colour('warn') ?? ''))).toBeLessThan(0.15)
})

test('the edge of a control has a contrast of 3 and more', () => {
	for (const theme of themes) expect(contrast(theme.colour('panel'), theme.colour('line-control'))).toBeGreaterThanOrEqual(3)
})

test('with reduced motion there is no transition at all: a short one would be one of every change of every element', () => {
	const reduced = css.slice(css.indexOf('(prefers-reduced-motion: reduce)'))
	expect(/transition-duration: ([^;]+);/.exec(reduced)?.[1]).toBe('0s !important')
})

test('no style is of anything beside anything: the whole page would be styled anew whenever an element appears in it', () => {
	const folder = new URL('../', import.meta.url)
	const all = globSync('**/*.css', {cwd: folder}).map(sheet => readFileSync(new URL(sheet, folder), 'utf8'))
	expect(all.length).toBeGreaterThan(50)
	// What a condition names is looked for beside its own element alone.
	const rules = all.join('').replaceAll(/\/\*[^]*?\*\/|:has\([^()]*(?:\([^()]*\))*\)/g, '')
	expect(rules.match(/^.*[+~] *[*:].*[{,]$/gm)).toBeNull()
})

interface Theme {
	name: string
	palette: (typeof palettes)[number]
	colour: (token: string) => string
}

const base = tokensOf(css.slice(css.indexOf(':root {')))
const contrastTokens = tokensOf(css.slice(css.indexOf(":root[data-theme='contrast']")))
const palettes = ['usual', 'deuteranopia', 'protanopia', 'tritanopia'] as const
const themes: readonly Theme[] = palettes.flatMap(palette => {
	const own = palette === 'usual' ? new Map<string, string>() : tokensOf(css.slice(css.indexOf(`[data-palette='${palette}']`)))
	const of = (token: string) => own.get(token) ?? base.get(token)
	const loud = (token: string) => own.get(token) ?? contrastTokens.get(token) ?? base.get(token)
	return [
		{name: `light, ${palette}`, palette, colour: (token: string) => pick(of(token), 0)},
		{name: `dark, ${palette}`, palette, colour: (token: string) => pick(of(token), 1)},
		{name: `contrast, ${palette}`, palette, colour: (token: string) => pick(loud(token), 1)}
	]
})

function tokensOf(block: string) {
	const body = block.slice(0, block.indexOf('\n}'))
	return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

/** The colour of a token: a single one or a `light-dark()` pair. */
function pick(value: string | undefined, side: 0 | 1) {
	const colours = value?.match(/#[0-9a-f]{6}/g) ?? []
	const colour = colours[side] ?? colours[0]
	if (colour === undefined) throw new Error(`no colour in ${value}`)
	return colour
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(a: string, b: string) {
	const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
	return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string) {
	const [r = 0, g = 0, b = 0] = channels(colour)
	return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Linear red, green and blue. */
function channels(colour: string) {
	return [1, 3, 5].map(at => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
}

function linear(channel: number) {
	return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

type Seen = readonly [number, number, number]

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const sights = {
	protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
	deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
	tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039]
} as const

function seen(sight: keyof typeof sights, colour: string) {
	const m = sights[sight]
	return oklab(times(m, channels(colour)).map(value => Math.min(1, Math.max(0, value))))
}

/** Björn Ottosson's OKLab, a perceptually uniform space. */
function oklab(rgb: readonly number[]): Seen {
	const cones = times(
		[0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005],
		rgb
	).map(Math.cbrt)
	return times(
		[0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662, -0.808675766],
		cones
	)
}

function times(m: readonly number[], v: readonly number[]): Seen {
	const row = (at: number) => v.reduce((sum, value, index) => sum + value * (m[at * 3 + index] ?? 0), 0)
	return [row(0), row(1), row(2)]
}

function distance(a: Seen, b: Seen) {
	return Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)))
}
