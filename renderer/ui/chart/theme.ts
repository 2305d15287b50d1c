import {useEffect, useState} from 'react'
import {flushSync} from 'react-dom'

/** Colour by meaning; see `tokens.css`. */
export type Tone = 'bad' | 'warn' | 'accent' | 'ok' | 'hold' | 'dim' | 'faint'

/** The tokens for a canvas: resolved colours. */
export type ChartTheme = ReturnType<typeof readTheme>

const tokens = {
	ink: 'var(--ink)',
	ink2: 'var(--ink-2)',
	ink3: 'var(--ink-3)',
	line: 'var(--line)',
	panel: 'var(--panel)',
	sunken: 'var(--sunken)',
	focus: 'var(--focus)',
	onTone: 'var(--bad-ink)',
	bad: 'var(--bad)',
	warn: 'var(--warn)',
	accent: 'var(--accent)',
	ok: 'var(--ok)',
	hold: 'var(--hold)',
	dim: 'var(--ink-3)',
	faint: 'var(--line-strong)'
} as const

type Token = keyof typeof tokens

const forced: Readonly<Partial<Record<Token, string>>> = {
	panel: 'Canvas',
	sunken: 'Canvas',
	onTone: 'Canvas',
	focus: 'Highlight',
	// Beside other tones without a pattern, such as medium beside none.
	faint: 'GrayText'
}

const media = [
	'(prefers-color-scheme: dark)',
	'(prefers-contrast: more)',
	'(forced-colors: active)',
	'(prefers-reduced-motion: reduce)',
	'print'
] as const

/** The current theme; changes with the setting and the system. */
export function useChartTheme() {
	const [theme, setTheme] = useState(readTheme)
	useEffect(() => {
		const read = () => flushSync(() => setTheme(readTheme()))
		const lists = media.map(query => window.matchMedia(query))
		const observer = new MutationObserver(read)
		observer.observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme', 'data-palette']})
		for (const list of lists) list.addEventListener('change', read)
		// It may have changed since the first render.
		setTheme(readTheme())
		return () => {
			observer.disconnect()
			for (const list of lists) list.removeEventListener('change', read)
		}
	}, [])
	return theme
}

export function prefersStill() {
	return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Only an element's style resolves `light-dark()` and variables. */
function readTheme() {
	const isForced = window.matchMedia('(forced-colors: active)').matches
	const probe = document.createElement('span')
	probe.hidden = true
	document.body.append(probe)
	const colour = (token: Token) => {
		probe.style.color = isForced ? (forced[token] ?? 'CanvasText') : tokens[token]
		return getComputedStyle(probe).color
	}
	const theme = {
		font: getComputedStyle(document.body).fontFamily,
		ink: colour('ink'),
		ink2: colour('ink2'),
		ink3: colour('ink3'),
		line: colour('line'),
		panel: colour('panel'),
		sunken: colour('sunken'),
		focus: colour('focus'),
		/** Text on a tone. */
		onTone: colour('onTone'),
		tones: {
			bad: colour('bad'),
			warn: colour('warn'),
			accent: colour('accent'),
			ok: colour('ok'),
			hold: colour('hold'),
			dim: colour('dim'),
			faint: colour('faint')
		},
		/** Only shapes distinguish: the system replaced the colours. */
		isForced,
		/** Colours alone may not be told apart: in a palette for colour-blind eyes, and where the system replaced them. */
		isPatterned: isForced || document.documentElement.dataset['palette'] !== undefined
	}
	probe.remove()
	return theme
}
