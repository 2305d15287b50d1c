import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { sparkOf, type Spark } from '../../ui/chart/spark.ts';
import { Sparkline } from '../../ui/chart/Sparkline.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import { formatCount } from '../../ui/time.ts';
import { trendFilter } from './trend.ts';

const stepMs = 6 * 3_600_000;
const steps = 28;

/** How the rows of a line came, over seven days: only for those that the store of events has by their time. */
export function ItemTrend({ open }: { readonly open: string }) {
  const filter = trendFilter(open);
  return filter === null ? null : <Trend filter={filter} />;
}

function Trend({ filter }: { readonly filter: string }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const end = useFromNow((now) => Math.ceil(now / stepMs) * stepMs);
  const span = { from: new Date(end - steps * stepMs).toISOString(), to: new Date(end).toISOString() };
  const { data } = useQuery(
    queries.events.histogram.queryOptions({
      input: { connection, filter, ...span, steps },
      placeholderData: (old) => old,
    }),
  );
  const spark = useMemo(() => (data === undefined ? null : sparkOf(data)), [data]);
  return spark === null ? null : <Sparkline spark={spark} label={wordsOf(spark)} />;
}

function wordsOf({ total, isPart }: Spark): string {
  const count = `${isPart ? 'At least ' : ''}${formatCount(total)} ${total === 1 ? 'event' : 'events'}`;
  return `${count} in seven days, one bar for six hours${isPart ? '; part of that time was not read' : ''}`;
}
