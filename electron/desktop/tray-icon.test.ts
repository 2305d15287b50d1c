import {trayBitmap} from './tray-icon.ts'

function opacity({size, pixels}: ReturnType<typeof trayBitmap>, x: number, y: number) {
	return pixels[(y * size + x) * 4 + 3] ?? -1
}

test.each([16, 32])('a ring of %i pixels, with a dot when something needs attention', size => {
	const [calm, marked] = [trayBitmap(size, false), trayBitmap(size, true)]
	expect(calm.pixels).toHaveLength(size * size * 4)
	const middle = size / 2
	expect(opacity(calm, middle, middle)).toBe(0)
	expect(opacity(marked, middle, middle)).toBe(255)
	expect(opacity(calm, 0, 0)).toBe(0)
	expect(opacity(calm, Math.round(size * 0.1), middle)).toBeGreaterThan(150)
})
