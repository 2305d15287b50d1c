import {openEventFile, openEventsForWriting} from '../schema.ts'
import {makeEventWriter} from '../writer.ts'
import {endOfTime, generatedEvent, type GeneratedOptions} from './generate.ts'

/** Writes generated events into a file as a reading does, newest page first. Returns the seconds it took. */
export function fillEvents(path: string, options: GeneratedOptions) {
	openEventFile(path).close()
	const database = openEventsForWriting(path)
	const begun = performance.now()
	const end = options.end ?? endOfTime
	const writer = makeEventWriter(database)
	for (let at = 0; at < options.count; at += 500) {
		const records = Array.from({length: Math.min(500, options.count - at)}, (_, index) => generatedEvent(at + index, options))
		writer.put({records, readAt: end, span: null, reading: null})
	}
	const since = end - options.days * 86_400_000
	const reading = {phase: 'complete', read: options.count, total: options.count, readAt: end, error: null} as const
	writer.put({records: [], readAt: end, span: {since, until: end}, reading})
	database.close()
	return (performance.now() - begun) / 1000
}
