import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import fc from 'fast-check'

import {type Area, placeWindow, readWindowState, smallest, writeWindowState} from './window.ts'
import {testFolder} from '#base/testing/folder.ts'

// Without it, the package would fetch the runtime, which is not needed here.
vi.mock('electron', () => ({BrowserWindow: {}, dialog: {}, nativeTheme: {}, screen: {}}))

const main: Area = {x: 0, y: 25, width: 1920, height: 1055}
const second: Area = {x: 1920, y: 0, width: 1280, height: 800}

function saved(bounds: Area, maximized = false) {
	return {bounds, maximized}
}

describe('a window opens', () => {
	test('in the middle of the main display the first time', () => {
		expect(placeWindow(null, [main, second])).toEqual({x: 240, y: 103, width: 1440, height: 900, maximized: false})
	})

	test('where it was', () => {
		const bounds = {x: 2000, y: 50, width: 1000, height: 700}
		expect(placeWindow(saved(bounds, true), [main, second])).toEqual({...bounds, maximized: true})
	})

	test('on the main display when its own is gone', () => {
		expect(placeWindow(saved({x: 2000, y: 50, width: 1000, height: 700}), [main])).toEqual({
			x: 460,
			y: 203,
			width: 1000,
			height: 700,
			maximized: false
		})
	})

	test('no larger than its display, and not where its title is hidden', () => {
		expect(placeWindow(saved({x: 1930, y: 10, width: 3000, height: 3000}), [main, second])).toMatchObject({width: 1280, height: 800})
		expect(placeWindow(saved({x: 100, y: -400, width: 1000, height: 700}), [main]).y).toBeGreaterThanOrEqual(main.y)
	})

	test('on a display that is too small, as large as that', () => {
		const tiny = {x: 0, y: 0, width: 640, height: 480}
		expect(placeWindow(null, [tiny])).toEqual({...tiny, maximized: false})
	})
})

test('whatever was kept and whichever displays there are, the title can be taken hold of', () => {
	const area = fc.record({
		x: fc.integer({min: -4000, max: 4000}),
		y: fc.integer({min: -4000, max: 4000}),
		width: fc.integer({min: 900, max: 4000}),
		height: fc.integer({min: 560, max: 4000})
	})
	fc.assert(
		fc.property(area, fc.array(area, {minLength: 1, maxLength: 3}), (bounds, displays) => {
			const at = placeWindow(saved(bounds), displays)
			const isHeld = displays.some(
				({x, y, width, height}) => Math.min(at.x + at.width, x + width) - Math.max(at.x, x) >= 120 && at.y >= y && at.y + 32 <= y + height
			)
			expect(isHeld).toBe(true)
			expect(at.width).toBeGreaterThanOrEqual(smallest.width)
		})
	)
})

describe('the file', () => {
	let folder: string
	beforeEach(() => {
		folder = testFolder()
	})
	test('is read back, and a broken one counts as none', () => {
		expect(readWindowState(folder)).toBeNull()
		const state = saved({x: 1, y: 2, width: 1000, height: 700}, true)
		writeWindowState(folder, state)
		expect(readWindowState(folder)).toEqual(state)
		for (const text of ['', '{', '{"bounds":{"x":"1"}}', '{"bounds":{"x":1e99,"y":0,"width":1,"height":1},"maximized":true}']) {
			writeFileSync(join(folder, 'window.json'), text)
			expect(readWindowState(folder)).toBeNull()
		}
	})

	test('that cannot be written does no harm', () => {
		expect(() => writeWindowState(join(folder, 'gone'), saved(main))).not.toThrow()
	})
})
