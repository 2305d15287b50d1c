import type { EventRow } from '#shared/contract/events.ts';
import { eventFilter } from '#shared/model/event-filter.ts';
import type { EventFilterTerm } from '#shared/model/event-filter-values.ts';

import { gatheredInWords } from './grouping.ts';

/** An event in words, as it is announced. */
export function describeEvent(row: EventRow): string {
	const parts = [
		row.gathered === undefined ? null : `stands for ${gatheredInWords(row.gathered)}`,
		row.type,
		row.severity === 'none' ? null : `severity ${row.severity}`,
		row.detection,
		row.outcome === null ? null : `outcome: ${row.outcome}`,
		row.hostname === '' ? null : `on ${row.hostname}`,
		row.fileName,
		row.at,
	];
	return parts.filter((part) => part !== null && part !== '').join(', ');
}

/** A chip of the filter: people know types by their names, the filter by their ids. */
export function describeTerm(term: EventFilterTerm, nameOfType: (id: number) => string | undefined) {
	const values = term.values.map((value) =>
		value.kind === 'type' ? { ...value, text: nameOfType(value.id) ?? value.text } : value,
	);
	return eventFilter.describe({ ...term, values });
}
