/** Deterministic randomness: the same parts give the same stream, on every computer and Node version. */
export type Random = ReturnType<typeof random>

/** A separate stream for each combination of parts, such as `random(seed, 'host', 17)`. */
export function random(...parts: readonly (string | number)[]) {
	const next = sfc32(hashText(parts.join('\u0000')))
	const int = (below: number) => Math.floor(next() * below)
	const hex = (digits: number) => hexDigits(next, digits)
	return {
		/** In [0, 1). */
		next,
		/** Whole number in [0, below). */
		int,
		/** This many lower-case hexadecimal digits. */
		hex,
		pick: <T>(items: readonly T[]) => pickAt(items, int(items.length)),
		chance: (probability: number) => next() < probability,
		guid: () => guidOf(hex(32))
	}
}

/** One number in [0, 1) from small integers, without a stream: cheap enough for 100,000 hosts at once. */
export function dice(seed: number, a: number, b: number) {
	let h = Math.imul(seed ^ Math.imul(a + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35) ^ Math.imul(b + 0x7f4a7c15, 0x27d4eb2f)
	h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
	h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
	return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** The seed text as one number, for {@link dice}. */
export function seedNumber(seed: string) {
	return hashText(seed)[0]
}

export function pickAt<T>(items: readonly T[], index: number): T {
	const item = items[index]
	if (item === undefined) throw new RangeError(`No item ${index} of ${items.length}`)
	return item
}

type Lanes = readonly [number, number, number, number]

// cyrb128 by bryc, public domain.
function hashText(text: string): Lanes {
	let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
	for (let i = 0; i < text.length; i += 1) {
		const k = text.charCodeAt(i)
		a = b ^ Math.imul(a ^ k, 597399067)
		b = c ^ Math.imul(b ^ k, 2869860233)
		c = d ^ Math.imul(c ^ k, 951274213)
		d = a ^ Math.imul(d ^ k, 2716044179)
	}
	a = Math.imul(c ^ (a >>> 18), 597399067)
	b = Math.imul(d ^ (b >>> 22), 2869860233)
	c = Math.imul(a ^ (c >>> 17), 951274213)
	d = Math.imul(b ^ (d >>> 19), 2716044179)
	return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0]
}

// sfc32 by Chris Doty-Humphrey, public domain.
function sfc32(lanes: Lanes) {
	let [a, b, c, d] = lanes
	const next = () => {
		const t = (((a + b) | 0) + d) | 0
		d = (d + 1) | 0
		a = b ^ (b >>> 9)
		b = (c + (c << 3)) | 0
		c = ((c << 21) | (c >>> 11)) + t
		c |= 0
		return (t >>> 0) / 4294967296
	}
	for (let i = 0; i < 8; i += 1) next()
	return next
}

// `join` and not `+`: concatenated strings are flattened when a page is first written.
function hexDigits(next: () => number, digits: number) {
	const words = Array.from({length: Math.ceil(digits / 8)}, (_, index) => {
		const word = Math.floor(next() * 0x100000000)
			.toString(16)
			.padStart(8, '0')
		return word.slice(0, digits - index * 8)
	})
	return words.join('')
}

function guidOf(hex: string) {
	const variant = '89ab'.charAt(parseInt(hex.charAt(16), 16) & 3)
	return [hex.slice(0, 8), '-', hex.slice(8, 12), '-4', hex.slice(13, 16), '-', variant, hex.slice(17, 20), '-', hex.slice(20, 32)].join('')
}
