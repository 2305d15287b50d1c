import { isolationStates } from '../text/states.ts';

import { computerFields, filterFieldSpecs } from './filter-fields.ts';
import { suggestionsAt, type FilterSuggestions, type FixedValue } from './filter-suggestions.ts';
import type { FilterField, FilterOperator } from './filter-term.ts';
import { computerRoles, computerRoleTitles } from './guard.ts';
import { roleWord } from './label.ts';

const flags: readonly FixedValue[] = [
	{ insert: 'yes', detail: '' },
	{ insert: 'no', detail: '' },
];
const states: readonly FixedValue[] = [
	...Object.entries(isolationStates).map(([insert, { word }]) => ({ insert, detail: word })),
	{ insert: 'pending*', detail: 'isolating or releasing' },
];
const ages: readonly FixedValue[] = [
	{ insert: '1h', detail: 'an hour' },
	{ insert: '24h', detail: 'a day' },
	{ insert: '7d', detail: 'a week' },
	{ insert: '30d', detail: 'a month' },
	{ insert: '90d', detail: 'three months' },
];
const roles: readonly FixedValue[] = computerRoles.map((role) => ({
	insert: roleWord(role),
	detail: computerRoleTitles[role],
}));
const empty: FixedValue = { insert: 'empty', detail: 'has none' };

/** What may come at the caret in the filter of computers. */
export function computerFilterSuggestions(text: string, caret: number): FilterSuggestions {
	return suggestionsAt({ names: computerFields, specs: filterFieldSpecs, fixedValues }, text, caret);
}

function fixedValues(field: FilterField, operator: FilterOperator): readonly FixedValue[] {
	const { kind } = filterFieldSpecs[field];
	if (kind === 'flag') return flags;
	if (kind === 'state') return states;
	if (kind === 'role') return [...roles, empty];
	if (kind === 'time') return operator === ':' || operator === '=' ? [empty] : ages;
	return [empty];
}
