import type {EventFacets, EventGathering, EventWindow, GatheredEvents} from '#contract/events.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {eventGroupings, groupingSpans, isByValue, type EventGrouping, type ValueGrouping} from '#model/choices.ts'

const titles: Readonly<Record<EventGrouping, string>> = {
	none: 'Every event',
	detections: 'By detection',
	hash: 'By hash',
	computer: 'By computer',
	name: 'By detection name'
}

export const groupings = eventGroupings.map(value => ({value, label: titles[value]}))

export function nextGrouping(grouping: EventGrouping): EventGrouping {
	return eventGroupings[(eventGroupings.indexOf(grouping) + 1) % eventGroupings.length] ?? 'none'
}

const spanTitles: Readonly<Record<(typeof groupingSpans)[number], string>> = {10: 'within 10 min', 60: 'within 1 h', 1440: 'within 24 h'}

export const withinWords = [
	{value: 'ever', label: 'at any time', minutes: undefined},
	...groupingSpans.map(minutes => ({value: `${minutes}`, label: spanTitles[minutes], minutes}))
]

/** Number of matching rows, of how many: rows beyond the search are not counted. */
export function rowsInWords({matching, gathering}: Pick<EventWindow, 'matching' | 'gathering'>, grouping: EventGrouping = 'none') {
	const count = formatCount(matching.count)
	const rows = `${count} ${formOf(matching.count, nouns.row)}`
	if (gathering !== undefined) return `${rows} of ${lookedInWords(gathering)}`
	const least = matching.exact ? '' : '≥ '
	return grouping === 'detections' ? `${least}${rows}, one per detection` : `${least}${count} match`
}

/** What counts beside grouped rows refer to; `null` when each row is one event. */
export function eventsInWords(grouping: EventGrouping, {events, exact}: EventFacets['counted']) {
	const counted = exact ? null : `Counted over the newest ${formatCount(events)} matching events.`
	if (events === 0) return 'There is no event to count.'
	if (grouping === 'none' || !exact) return counted
	return `Counts are of events, ${formatCount(events)} in all; the rows group them.`
}

function lookedInWords({events, exact}: EventGathering) {
	if (!exact) return `the newest ${formatCount(events)} that match`
	return `${formatCount(events)} that ${formOf(events, ['matches', 'match'])}`
}

/** `14 on 5 computers`. */
export function gatheredInWords({events, computers}: GatheredEvents) {
	if (computers > 1) return `${formatCount(events)} on ${formatCount(computers)} computers`
	return `${counted(events, nouns.event)}`
}

const withoutWords: Readonly<Record<ValueGrouping, string>> = {hash: 'hash', computer: 'computer', name: 'name'}
const fields: Readonly<Record<ValueGrouping, string>> = {hash: 'hash', computer: 'guid', name: 'detection'}

/** The note on events without the value, and the term that excludes them; `null` if there are none. */
export function lonelyOf(grouping: EventGrouping, gathering: EventGathering | undefined) {
	if (!isByValue(grouping) || gathering === undefined || gathering.without === 0) return null
	const {without} = gathering
	const have = formOf(without, ['event has', 'events have'])
	const alone = formOf(without, ['it is a row of its own.', 'each is a row of its own.'])
	return {words: `${formatCount(without)} ${have} no ${withoutWords[grouping]}: ${alone}`, term: `-${fields[grouping]}:empty`}
}
