import type { EventRow } from '#shared/contract/events.ts';

import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import styles from './PeekPanel.module.css';
import { t } from './text.ts';

interface ChainProps {
	/** Oldest first. */
	readonly chain: readonly EventRow[];
	readonly current: string;
	readonly onPeek: (key: string) => void;
}

/** What happened to one detection, event by event. */
export function Chain({ chain, current, onPeek }: ChainProps) {
	return (
		<Card title={t.sameDetection} aside={t.eventsOldestFirst(chain.length)}>
			<ol className={styles['chain']}>
				{chain.map((event) => (
					<li key={event.key}>
						<button
							type="button"
							className={styles['step']}
							{...(event.key === current ? { 'aria-current': 'step' as const } : {})}
							onClick={() => onPeek(event.key)}
						>
							<Time at={event.at} form="exact" />
							<span className={styles['stepType']}>{event.type}</span>
						</button>
					</li>
				))}
			</ol>
		</Card>
	);
}
