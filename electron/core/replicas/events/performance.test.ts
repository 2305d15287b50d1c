import {join} from 'node:path'

import {fileFolder} from '#base/testing/folder.ts'
import {measureEvents, type EventMeasure} from './testing/measure.ts'

// Generous, because it runs beside other tests on a small machine; `npm run bench -- events` holds a million events to the aims.
const patience = 20
const count = 40_000

const folder = fileFolder()
let measure: EventMeasure

beforeAll(() => {
	measure = measureEvents(join(folder, 'one.db'), count, 3)
})

test('windows, histograms, facets and positions are fast', () => {
	for (const {name, ms, target} of measure.figures) expect(Math.min(...ms), name).toBeLessThan(target * patience)
})

test('no event takes more than three kilobytes and a few milliseconds', () => {
	expect(measure.fileBytes / count).toBeLessThan(3000)
	expect((measure.buildSeconds * 1000) / count).toBeLessThan(3)
})
