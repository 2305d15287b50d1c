import { isByValue } from '#shared/contract/events.ts';

import { Select } from '../../ui/Select.tsx';
import styles from './EventsScreen.module.css';
import { groupings, withinWords } from './grouping.ts';
import type { EventsSearch } from './search.ts';
import { t } from './text.ts';

interface GroupingProps {
	readonly grouping: NonNullable<EventsSearch['grouping']>;
	readonly within: EventsSearch['within'];
	readonly onChange: (next: Pick<EventsSearch, 'grouping' | 'within'>) => void;
}

const everTitle = 'ever';

/** What makes a row: one event, or those that belong together, however far apart or close in time. */
export function Grouping({ grouping, within, onChange }: GroupingProps) {
	return (
		<div className={styles['groupings']}>
			<Select
				label={t.rows}
				hideLabel
				value={grouping}
				options={groupings}
				onChange={(next) => onChange(next === 'none' ? {} : { grouping: next, ...(isByValue(next) && { within }) })}
				className={styles['grouping']}
			/>
			{isByValue(grouping) ? (
				<Select
					label={t.howFarApart}
					hideLabel
					value={within === undefined ? everTitle : `${within}`}
					options={withinWords}
					onChange={(next) => onChange({ grouping, within: withinWords.find(({ value }) => value === next)?.minutes })}
					className={styles['within']}
				/>
			) : null}
		</div>
	);
}
