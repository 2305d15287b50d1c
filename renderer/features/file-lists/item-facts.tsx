import type {FileListItemRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import type {Fact} from '#ui/Facts.tsx'
import {Time} from '#ui/Time.tsx'
import {Dispositions} from './item-columns.tsx'

/** Facts from the list. */
export function factsOfItem({description, source, firstSeen}: FileListItemRow): readonly Fact[] {
	return [
		{name: 'Note', value: description === '' ? 'none' : description},
		{name: 'Source', value: source === '' ? 'none' : source},
		{
			name: 'First seen here',
			value:
				firstSeen === null ? (
					'Before Cordon first loaded this list'
				) : (
					<>
						<Time at={firstSeen} form="exact" /> · <Time at={firstSeen} focusable />
					</>
				),
		},
	]
}

/** Facts from stored events. */
export function factsOfSeen({computers, names, dispositions}: FileListItemRow['seen']): readonly Fact[] {
	if (computers === 0 && names.length === 0) return [{name: 'Events', value: 'no stored event names it'}]
	return [
		{name: 'Computers', value: formatCount(computers)},
		{name: 'Names', value: names.length === 0 ? 'none' : names.join(', ')},
		{name: 'Disposition', value: dispositions.length === 0 ? 'none told' : <Dispositions dispositions={dispositions} />},
	]
}
