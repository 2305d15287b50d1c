import type { SearchResults } from '#shared/contract/search.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Time } from '../../ui/Time.tsx';
import { t } from './text.ts';

/** What stands behind the local answer, and how old it is. */
export function Stored({ results: { computers, events } }: { readonly results: SearchResults }) {
	return (
		<>
			{t.inOf(counted(computers.count, nouns.computer))}
			{computers.readAt === null ? null : (
				<>
					{' '}
					(<Time at={computers.readAt} form="age" focusable /> {t.oldInBrackets}
				</>
			)}{' '}
			{t.andStored(formatCount(events.count), formOf(events.count, nouns.event))}
			{events.readAt === null ? null : (
				<>
					{' '}
					(<Time at={events.readAt} form="age" focusable /> {t.oldInBrackets}
				</>
			)}
		</>
	);
}
