/** A kept view of the events and the address of the screen: pure. */
import type { EventView } from '#shared/contract/event-views.ts';

import { spanSpecs } from '../span.ts';
import { groupings, withinWords } from '../grouping.ts';
import type { EventsSearch } from '../search.ts';

export type Shown = Omit<EventView, 'kind' | 'id' | 'name'>;

/** What the screen shows, as far as a view keeps it. `filter` is the one that is typed. */
export function shownBy({ span, from, to, grouping = 'none', within }: EventsSearch, filter: string): Shown {
	return {
		// Without a chosen time all of it is what an address without a span shows.
		...{ filter, span: span === 'all' && from === undefined ? null : (span ?? null), grouping, within: within ?? null },
		...{ from: isoOf(from), to: isoOf(to) },
	};
}

function isoOf(moment: string | undefined): string | null {
	return moment === undefined ? null : new Date(moment).toISOString();
}

/** The address that shows a view; one event beside the list is closed. */
export function addressOf({ filter, span, from, to, grouping, within }: Shown): EventsSearch {
	return {
		...{ filter: filter === '' ? undefined : filter, span: span ?? undefined },
		...{ from: from ?? undefined, to: to ?? undefined },
		...{ grouping: grouping === 'none' ? undefined : grouping, within: within ?? undefined },
		event: undefined,
	};
}

/** Everything, as the screen opens. */
export const everyEvent: Shown = { filter: '', span: null, from: null, to: null, grouping: 'none', within: null };

export function isSame(one: Shown, other: Shown): boolean {
	const facts = ({ filter, span, from, to, grouping, within }: Shown) => [filter, span, from, to, grouping, within];
	return JSON.stringify(facts(one)) === JSON.stringify(facts(other));
}

/** `severity>=high · last 7 days · By hash within 1 h`. */
export function describeView({ filter, span, from, grouping, within }: Shown): string {
	const rows = groupings.find(({ value }) => value === grouping)?.label ?? grouping;
	const close = within === null ? '' : ` ${withinWords.find(({ minutes }) => minutes === within)?.label ?? ''}`;
	return [
		filter === '' ? 'no filter' : filter,
		from !== null ? 'a chosen time' : span === null || span === 'all' ? null : spanSpecs[span].words,
		grouping === 'none' ? null : `${rows}${close}`,
	]
		.filter((part) => part !== null)
		.join(' · ');
}
