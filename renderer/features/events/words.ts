import type { ComponentProps } from 'react';

import type { DetectionOutcome, EventRow, EventSeverity } from '#shared/contract/events.ts';
import { eventFilter } from '#shared/model/event-filter.ts';
import type { EventFilterTerm } from '#shared/model/event-filter-values.ts';

import type { Tag } from '../../ui/Tag.tsx';

interface Word {
  readonly shape: string;
  readonly word: string;
  readonly tone: NonNullable<ComponentProps<typeof Tag>['tone']>;
}

/** Severity is told by shape, word and colour. */
export const severityWords: Readonly<Record<EventSeverity, Word>> = {
  critical: { shape: '◆', word: 'critical', tone: 'bad' },
  high: { shape: '▲', word: 'high', tone: 'warn' },
  medium: { shape: '●', word: 'medium', tone: 'accent' },
  low: { shape: '○', word: 'low', tone: 'plain' },
  none: { shape: '·', word: 'none', tone: 'plain' },
};

export const outcomeWords: Readonly<Record<DetectionOutcome, Word>> = {
  open: { shape: '◌', word: 'open', tone: 'warn' },
  quarantined: { shape: '✓', word: 'quarantined', tone: 'ok' },
  failed: { shape: '✖', word: 'failed', tone: 'bad' },
  recalled: { shape: '↩', word: 'recalled', tone: 'hold' },
};

/** An event in words, as it is announced. */
export function describeEvent(row: EventRow): string {
  const parts = [
    row.type,
    row.severity === 'none' ? null : `severity ${row.severity}`,
    row.detection,
    row.outcome === null ? null : `outcome: ${row.outcome}`,
    row.hostname === '' ? null : `on ${row.hostname}`,
    row.fileName,
    row.at,
  ];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

/** A chip of the filter: people know types by their names, the filter by their ids. */
export function describeTerm(term: EventFilterTerm, nameOfType: (id: number) => string | undefined) {
  const values = term.values.map((value) =>
    value.kind === 'type' ? { ...value, text: nameOfType(value.id) ?? value.text } : value,
  );
  return eventFilter.describe({ ...term, values });
}
