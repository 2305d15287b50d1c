import {fileFolder} from '#base/testing/folder.ts'
import {measureSearch, type SearchFigure} from './testing/measure.ts'

// The aim is 50 ms over 100,000 computers and a million events on an idle machine; this runs beside other tests.
const patience = 500

const folder = fileFolder()
let figures: SearchFigure[]

beforeAll(async () => {
	figures = await measureSearch(folder, {computers: 4000, events: 4000})
})

test('local results come at once, whatever is typed', () => {
	for (const {text, groups, ms} of figures) {
		process.stdout.write(`  ${text}: ${ms.toFixed(1)} ms, ${groups} groups\n`)
		expect(ms, text).toBeLessThan(patience)
	}
	expect(figures.filter(({groups}) => groups > 0).length).toBeGreaterThan(10)
})
