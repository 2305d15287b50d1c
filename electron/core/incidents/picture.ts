/** Sums for the pictures of the log: what happened on which host, and how much each person changed in each hour. */
import type { HostLane, LogPicture, WritesInHour } from '#shared/contract/log.ts';

import { writeCommands } from './filter.ts';
import type { Found } from './locate.ts';

/** Hosts with most entries; more lanes than this cannot be told apart. */
const mostLanes = 12;
/** Marks of all lanes together, the newest. */
const mostMarks = 1500;
const mostHours = 2000;

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
  return { lanes, hosts, writes: readWrites(found) };
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

/** Intents only: an outcome is the same change once more. */
function readWrites(found: Found): readonly WritesInHour[] {
  const commands = writeCommands();
  return found
    .rows<WritesInHour>(
      `operator, substr(at, 1, 13) || ':00:00.000Z' AS hour, count(*) AS count`,
      `AND kind = 'command.requested' AND command IN (${commands.map(() => '?').join(', ')})
       GROUP BY operator, substr(at, 1, 13) ORDER BY hour DESC LIMIT ${mostHours}`,
      ...commands,
    )
    .toReversed();
}
