/** What is known here of a text: the local copies of one connection and the log, asked at once. */
import type { ActivityOffer, SearchGroup, SearchResults } from '#shared/contract/search.ts';
import { askableAs, readIndicator, type Indicator } from '#shared/model/indicator.ts';

import { computersPart, externalPart } from './computers.ts';
import { eventParts, tellingOf } from './events.ts';
import { groupsPart, listsPart, logPart, policiesPart } from './objects.ts';
import type { Part, SearchSources } from './types.ts';

/** In the order in which they are shown. */
const parts: readonly Part[] = [
  computersPart,
  externalPart,
  eventParts.users,
  eventParts.hashes,
  eventParts.files,
  eventParts.addresses,
  eventParts.urls,
  listsPart,
  groupsPart,
  policiesPart,
  eventParts.events,
  logPart,
];

/** Throws what keeps a local copy from being asked. */
export async function searchLocally(sources: SearchSources, text: string, limit: number): Promise<SearchResults> {
  const indicator = readIndicator(text);
  const { rows, completeAt } = sources.inventory.state();
  const { stored, oldest, readAt } = sources.events.state();
  return {
    text,
    indicator,
    groups: indicator === null ? [] : await groupsOf(sources, indicator, limit),
    offers: indicator === null ? [] : offersFor(indicator, rows, completeAt !== null),
    computers: { count: rows, readAt: completeAt },
    events: { count: stored, oldest, readAt },
  };
}

async function groupsOf(sources: SearchSources, indicator: Indicator, limit: number): Promise<readonly SearchGroup[]> {
  const asked = { indicator, limit, telling: tellingOf(sources, indicator, limit) };
  const found = await Promise.all(parts.map((part) => part(sources, asked)));
  return found.flat().filter(({ count }) => count > 0);
}

/** Computers of one page (API reference, "Pagination"). */
export const pageSize = 500;
/** The service looks through at most so many records of activity (API reference, 4.7). */
const searched = 5000;

function offersFor(indicator: Indicator, computers: number, isKnown: boolean): readonly ActivityOffer[] {
  return askableAs(indicator).map((kind) => {
    const most = kind === 'activity' ? Math.min(searched, computers) : computers;
    return { kind, least: 1, most: isKnown ? Math.max(1, Math.ceil(most / pageSize)) : null };
  });
}
