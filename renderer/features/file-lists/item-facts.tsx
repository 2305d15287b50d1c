import type {FileListItemRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import {type Fact, fact} from '#ui/Facts.tsx'
import {Time} from '#ui/Time.tsx'
import {Dispositions} from './item-columns.tsx'

/** Facts from the list. */
export function factsOfItem({description, source, firstSeen}: FileListItemRow): readonly Fact[] {
	return [
		fact('Note', description === '' ? 'none' : description),
		fact('Source', source === '' ? 'none' : source),
		fact(
			'First seen here',
			firstSeen === null ? (
				'Before Cordon first loaded this list'
			) : (
				<>
					<Time at={firstSeen} form="exact" /> · <Time at={firstSeen} focusable />
				</>
			)
		)
	]
}

/** Facts from stored events. */
export function factsOfSeen({computers, names, dispositions}: FileListItemRow['seen']): readonly Fact[] {
	if (computers === 0 && names.length === 0) return [fact('Events', 'no stored event names it')]
	return [
		fact('Computers', formatCount(computers)),
		fact('Names', names.length === 0 ? 'none' : names.join(', ')),
		fact('Disposition', dispositions.length === 0 ? 'none told' : <Dispositions dispositions={dispositions} />)
	]
}
