import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { EventFacets, EventQuery, Facet } from '#shared/contract/events.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { formatCount } from '../../ui/time.ts';
import styles from './Facets.module.css';
import { facetTerm, holdsTerm, toggleTerm, type FacetName } from './facet-terms.ts';
import { outcomeWords, severityWords } from './words.ts';

const titles: Readonly<Record<FacetName, string>> = {
  severity: 'Severity',
  outcome: 'Outcome',
  type: 'Type',
  detection: 'Detection',
  group: 'Group',
};
// The keys of the literal above.
const names = Object.keys(titles) as readonly FacetName[];
const shownAtFirst = 6;

interface FacetsProps {
  readonly id: string;
  readonly question: EventQuery;
  /** The typed filter, which values are put into and taken from. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** How often each value occurs among the matching events; a click asks for those alone. */
export function Facets({ id, question, filter, onFilter }: FacetsProps) {
  const { queries } = useApi();
  const { data, error, refetch } = useQuery(
    queries.events.facets.queryOptions({ input: question, placeholderData: (old) => old }),
  );
  return (
    <aside id={id} className={styles['facets']} aria-label="Facets">
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={12} />
        ) : (
          <p className={styles['note']}>
            {asCordonError(error).message} <Link onPress={() => void refetch()}>Try again</Link>
          </p>
        )
      ) : (
        <>
          {names.map((name) => (
            <FacetList key={name} name={name} facets={data[name]} filter={filter} onFilter={onFilter} />
          ))}
          <Counted counted={data.counted} />
        </>
      )}
    </aside>
  );
}

function Counted({ counted }: Pick<EventFacets, 'counted'>) {
  if (counted.exact) return null;
  return (
    <p className={styles['note']}>Counted over the newest {formatCount(counted.events)} of the matching events.</p>
  );
}

interface FacetListProps extends Pick<FacetsProps, 'filter' | 'onFilter'> {
  readonly name: FacetName;
  readonly facets: readonly Facet[];
}

function FacetList({ name, facets, filter, onFilter }: FacetListProps) {
  const [isLong, setLong] = useState(false);
  if (facets.length === 0) return null;
  const rest = facets.length - shownAtFirst;
  return (
    <section className={styles['list']} aria-label={titles[name]}>
      <h2 className={styles['title']}>{titles[name]}</h2>
      <ul>
        {facets.slice(0, isLong ? facets.length : shownAtFirst).map((facet) => {
          const term = facetTerm(name, facet);
          return (
            <li key={facet.value}>
              <button
                type="button"
                className={styles['facet']}
                aria-pressed={holdsTerm(filter, term)}
                title={facet.label}
                onClick={() => onFilter(toggleTerm(filter, term))}
              >
                <span className={styles['label']}>
                  <Shape name={name} value={facet.value} />
                  {facet.label}
                </span>
                <span className={styles['count']}>{formatCount(facet.count)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {rest > 0 ? (
        <Link className={styles['more']} onPress={() => setLong(!isLong)}>
          {isLong ? 'Fewer' : `${rest} more`}
        </Link>
      ) : null}
    </section>
  );
}

function Shape({ name, value }: { readonly name: FacetName; readonly value: string }) {
  const known: Readonly<Record<string, { readonly shape: string }>> =
    name === 'severity' ? severityWords : name === 'outcome' ? outcomeWords : {};
  const shape = known[value]?.shape;
  return shape === undefined ? null : (
    <span className={styles['shape']} aria-hidden="true">
      {shape}
    </span>
  );
}
