import { detectionOutcomes, eventSeverities } from './event.ts';
import { eventFields, eventFilterSpecs, type EventFilterField } from './event-filter-fields.ts';
import { suggestionsAt, type FilterSuggestions, type FixedValue } from './filter-suggestions.ts';
import type { FilterOperator } from './filter-term.ts';

const outcomeDetails: Readonly<Record<(typeof detectionOutcomes)[number], string>> = {
	open: 'may still be on the computer',
	quarantined: 'removed when it was found',
	failed: 'could not be removed',
	recalled: 'removed later, when it was known',
};
const ages: readonly FixedValue[] = [
	{ insert: '1h', detail: 'an hour' },
	{ insert: '24h', detail: 'a day' },
	{ insert: '7d', detail: 'a week' },
	{ insert: '30d', detail: 'a month' },
];
const empty: FixedValue = { insert: 'empty', detail: 'has none' };

/** What may come at the caret in the filter of events. */
export function eventFilterSuggestions(text: string, caret: number): FilterSuggestions {
	return suggestionsAt({ names: eventFields, specs: eventFilterSpecs, fixedValues }, text, caret);
}

function fixedValues(field: EventFilterField, operator: FilterOperator): readonly FixedValue[] {
	const { kind } = eventFilterSpecs[field];
	if (kind === 'severity') return eventSeverities.map((insert) => ({ insert, detail: '' }));
	if (kind === 'outcome')
		return [...detectionOutcomes.map((insert) => ({ insert, detail: outcomeDetails[insert] })), empty];
	if (kind === 'time') return operator === ':' || operator === '=' ? [] : ages;
	return kind === 'type' || field === 'details' ? [] : [empty];
}
