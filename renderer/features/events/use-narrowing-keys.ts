import type {EventRow} from '#contract/events.ts'
import {eventFilter} from '#model/event-filter.ts'
import {toggleTerm} from '#model/filter-language.ts'

import {useAnnounce} from '#ui/Announcer.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {groupings, nextGrouping} from './grouping.ts'
import {pivotsOf} from './pivots.ts'
import type {EventsView} from './use-question.ts'

interface NarrowingKeys {
	view: EventsView
	currentRow(): EventRow | undefined
	/** Opens the search with a hash: it queries the service for computers without local events. */
	hunt(sha256: string): void
	showStory(row: EventRow): void
}

/** Shortcuts that add or remove a filter term, group the rows, and lead to the search for computers without local events. */
export function useNarrowingKeys({view, currentRow, hunt, showStory}: NarrowingKeys) {
	const {filter, question, change} = view
	const announce = useAnnounce()
	const toggle = (term: string) => filter.set(toggleTerm(eventFilter, filter.applied, term))
	const onRow = useAtCursor(currentRow, () => 'Go to an event first')
	useKeys({
		'events.critical': () => toggle('severity:critical'),
		'events.high': () => toggle('severity:high'),
		'events.medium': () => toggle('severity:medium'),
		'events.low': () => toggle('severity:low'),
		'events.none': () => toggle('severity:none'),
		'events.open': () => toggle('outcome:open'),
		'events.group': () => {
			const next = nextGrouping(question.grouping)
			change({grouping: next === 'none' ? undefined : next})
			announce(`Rows: ${groupings.find(({value}) => value === next)?.label ?? next}`)
		},
		'events.follow': onRow(current => {
			const pivot = pivotsOf(current).find(({title}) => title === 'Same computer')
			if (pivot === undefined) announce('This event names no computer')
			else toggle(pivot.term)
		}),
		'events.story': onRow(showStory),
		'events.silent': onRow(({sha256}) => {
			if (sha256 === null) announce('This event names no hash')
			else hunt(sha256)
		})
	})
}
