import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {measureSearch, type SearchFigure} from './testing/measure.ts'

// The aim is 50 ms over 100,000 computers and a million events on an idle machine; this runs beside other tests.
const patience = 500

let folder: string
let figures: readonly SearchFigure[]

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'search-'))
	figures = await measureSearch(folder, {computers: 4000, events: 4000})
}, 120_000)
afterAll(() => rmSync(folder, {recursive: true}))

test('local results come at once, whatever is typed', () => {
	for (const {text, groups, ms} of figures) {
		process.stdout.write(`  ${text}: ${ms.toFixed(1)} ms, ${groups} groups\n`)
		expect(ms, text).toBeLessThan(patience)
	}
	expect(figures.filter(({groups}) => groups > 0).length).toBeGreaterThan(10)
})
