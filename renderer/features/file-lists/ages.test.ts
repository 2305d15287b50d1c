import {ageBarsOf, dayMs} from './FileListScreen.tsx'

const today = Math.floor(Date.parse('2026-03-31T10:00:00Z') / dayMs)
const day = (text: string, hashes: number) => ({day: `${text}T00:00:00.000Z`, hashes})

test('hashes fall into classes by their age; those without a date stay apart', () => {
	const days = [day('2024-12-01', 1), day('2026-03-01', 2), day('2026-03-24', 4), day('2026-03-30', 8), day('2026-03-31', 16)]
	const {bars, dated, undated} = ageBarsOf({days, undated: 700}, today)
	expect(bars.map((title, place) => [title, dated[place], undated[place]])).toEqual([
		['today', 16, 0],
		['1 to 7 days', 12, 0],
		['8 to 30 days', 2, 0],
		['31 to 90 days', 0, 0],
		['91 to 365 days', 0, 0],
		['over a year', 1, 0],
		['age not known', 0, 700]
	])
})

test('with a slow clock nothing is newer than today', () => {
	expect(ageBarsOf({days: [day('2026-04-02', 3)], undated: 0}, today).dated[0]).toBe(3)
})
