import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { AttentionItem } from '#shared/contract/sight.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { sparkOf, type Spark } from '../../ui/chart/spark.ts';
import { Sparkline, SparklineToCome } from '../../ui/chart/Sparkline.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import styles from './OverviewScreen.module.css';
import { TrendDialog } from './TrendDialog.tsx';
import { t } from './text.ts';
import { trendFilter } from './trend.ts';

const stepMs = 6 * 3_600_000;
const steps = 28;

type TrendItem = Pick<AttentionItem, 'title' | 'open'>;

/** How the rows of a line came, over seven days: only for those that the store of events has by their time. */
export function ItemTrend({ item }: { readonly item: TrendItem }) {
	const filter = trendFilter(item.open);
	return filter === null ? null : <Trend item={item} filter={filter} />;
}

/** As small as a word; pressed, it is a picture with its table. */
function Trend({ item, filter }: { readonly item: TrendItem; readonly filter: string }) {
	const { queries } = useApi();
	const { id: connection } = useActiveConnection();
	const [isOpen, setOpen] = useState(false);
	const end = useFromNow((now) => Math.ceil(now / stepMs) * stepMs);
	const span = { from: new Date(end - steps * stepMs).toISOString(), to: new Date(end).toISOString() };
	const { data } = useQuery(
		queries.events.histogram.queryOptions({
			input: { connection, filter, ...span, steps },
			placeholderData: (old) => old,
		}),
	);
	const spark = useMemo(() => (data === undefined ? null : sparkOf(data)), [data]);
	if (data === undefined)
		return (
			<span className={styles['trend']}>
				<SparklineToCome counts={steps} />
			</span>
		);
	if (spark === null) return null;
	const words = wordsOf(spark);
	return (
		<>
			<button
				type="button"
				className={styles['trend']}
				aria-label={t.enlarge(words)}
				aria-haspopup="dialog"
				onClick={() => setOpen(true)}
			>
				<Sparkline spark={spark} label={words} />
			</button>
			{isOpen ? <TrendDialog item={item} data={data} onClose={() => setOpen(false)} /> : null}
		</>
	);
}

function wordsOf({ total, isPart }: Spark): string {
	const count = `${isPart ? 'At least ' : ''}${counted(total, nouns.event)}`;
	return `${count} in seven days, one bar for six hours${isPart ? '; part of that time was not loaded' : ''}`;
}
