/** The picture of the tray, drawn by hand: a ring, with a dot in it while something needs attention. */

const ring = {red: 0x6e, green: 0xa4, blue: 0xff} as const
const dot = {red: 0xf0, green: 0xb3, blue: 0x54} as const

export function trayBitmap(size: number, isMarked: boolean) {
	/** Four bytes for each pixel: blue, green, red, opacity. */
	const pixels = Buffer.alloc(size * size * 4)
	const middle = (size - 1) / 2
	for (let y = 0; y < size; y += 1) {
		for (let x = 0; x < size; x += 1) {
			const distance = Math.hypot(x - middle, y - middle) / (size / 2)
			const onRing = cover(distance, 0.62, 0.95, size)
			const onDot = isMarked ? cover(distance, -1, 0.38, size) : 0
			const {red, green, blue} = onDot > onRing ? dot : ring
			pixels.set([blue, green, red, Math.round(255 * Math.max(onRing, onDot))], (y * size + x) * 4)
		}
	}
	return {size, pixels}
}

/** From 0 outside of the two radii to 1 between them, with soft edges one pixel wide. */
function cover(distance: number, inner: number, outer: number, size: number) {
	const soft = 2 / size
	const inside = Math.min(1, Math.max(0, (distance - inner) / soft + 0.5))
	const within = Math.min(1, Math.max(0, (outer - distance) / soft + 0.5))
	return inside * within
}
