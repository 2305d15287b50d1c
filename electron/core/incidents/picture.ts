/** Sums for the pictures of the log: what happened on which host, and how much each person changed in each hour. */
import type { HostLane, LogPicture, WritesInStep } from '#shared/contract/log.ts';

import { writeCommands } from './filter.ts';
import type { Found } from './locate.ts';

/** Hosts with most entries; more lanes than this cannot be told apart. */
const mostLanes = 12;
/** Marks of all lanes together, the newest. */
const mostMarks = 1500;
/** Steps of time from the first change to the last: a picture of more cannot be read. */
const mostSteps = 96;

interface LaneRow {
  readonly guid: string;
  readonly label: string;
  readonly entries: number;
}

interface MarkRow {
  readonly guid: string;
  readonly id: string;
  readonly at: string;
  readonly kind: HostLane['marks'][number]['kind'];
}

export function paint(found: Found): LogPicture {
  const lanes = readLanes(found);
  const hosts =
    found.rows<{ readonly n: number }>('count(DISTINCT lower(target_guid)) AS n', 'AND target_guid IS NOT NULL')[0]
      ?.n ?? 0;
  return { lanes, hosts, ...readWrites(found) };
}

function readLanes(found: Found): readonly HostLane[] {
  const lanes = found.rows<LaneRow>(
    'lower(target_guid) AS guid, max(target_label) AS label, count(*) AS entries',
    `AND target_guid IS NOT NULL GROUP BY lower(target_guid) ORDER BY max(seq) DESC LIMIT ${mostLanes}`,
  );
  if (lanes.length === 0) return [];
  const marks = found.rows<MarkRow>(
    'lower(target_guid) AS guid, id, at, kind',
    `AND lower(target_guid) IN (${lanes.map(() => '?').join(', ')}) ORDER BY seq DESC LIMIT ${mostMarks}`,
    ...lanes.map(({ guid }) => guid),
  );
  const byLane = Map.groupBy(marks, ({ guid }) => guid);
  return lanes.map((lane) => ({
    ...lane,
    marks: (byLane.get(lane.guid) ?? []).map(({ id, at, kind }) => ({ id, at, kind })),
  }));
}

interface StepRow {
  readonly operator: string;
  readonly step: number;
  readonly count: number;
}

const hourMs = 3_600_000;

/** Intents only: an outcome is the same change once more. Nothing is left out: a longer time has longer steps. */
function readWrites(found: Found): Pick<LogPicture, 'writes' | 'stepHours'> {
  const commands = writeCommands();
  const intents = `AND kind = 'command.requested' AND command IN (${commands.map(() => '?').join(', ')})`;
  const [span] = found.rows<{ readonly first: string | null; readonly last: string | null }>(
    'min(at) AS first, max(at) AS last',
    intents,
    ...commands,
  );
  if (typeof span?.first !== 'string' || typeof span.last !== 'string') return { writes: [], stepHours: 1 };
  const first = Math.floor(Date.parse(span.first) / hourMs) * hourMs;
  const stepHours = Math.ceil((Math.floor((Date.parse(span.last) - first) / hourMs) + 1) / mostSteps);
  const rows = found.rows<StepRow>(
    `operator, (unixepoch(at) - ${first / 1000}) / ${stepHours * 3600} AS step, count(*) AS count`,
    `${intents} GROUP BY operator, step ORDER BY step, operator`,
    ...commands,
  );
  const writes = rows.map(({ operator, step, count }): WritesInStep => {
    return { operator, hour: new Date(first + step * stepHours * hourMs).toISOString(), count };
  });
  return { writes, stepHours };
}
