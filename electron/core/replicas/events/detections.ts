import type { Database } from '#core/store/database.ts';
import { kindOf, outcomeOf } from './outcome.ts';
import type { Sums } from './sums.ts';
import type { StoredEvent } from './words.ts';

interface DetectionRow {
  readonly no: number;
  kinds: number;
  newest: number;
  events: number;
}

interface Known extends DetectionRow {
  /** Before this transaction. */
  readonly before: string | null;
  readonly earlier: number;
}

/** The detections that the events of one transaction belong to, and what became of them. */
export interface Detections {
  add(id: number, event: StoredEvent): void;
  remove(id: number, event: StoredEvent): void;
  outcome(detectionId: string | null): string | null;
  /** Ids of the events of all detections whose outcome changed. */
  turned(): readonly number[];
}

export function makeDetections(database: Database, sums: Sums): Detections {
  const known = new Map<string, Known>();
  const find = (detectionId: string): Known | undefined => {
    const met = known.get(detectionId);
    if (met !== undefined) return met;
    const row = database.get<DetectionRow>('SELECT * FROM detection WHERE detection_id = ?', detectionId);
    if (row === undefined) return undefined;
    const found = { ...row, before: outcomeOf(row.kinds), earlier: row.events };
    known.set(detectionId, found);
    return found;
  };
  const make = (detectionId: string, id: number): Known => {
    const sql = 'INSERT INTO detection (detection_id, kinds, newest, events) VALUES (?, 0, ?, 0)';
    const { lastId } = database.run(sql, detectionId, id);
    const made = { no: lastId, kinds: 0, newest: id, events: 0, before: null, earlier: 0 };
    known.set(detectionId, made);
    return made;
  };
  return {
    add(id, event) {
      if (event.detection_id === null) return;
      const detection = find(event.detection_id) ?? make(event.detection_id, id);
      const [newest, older] = id >= detection.newest ? [id, detection.newest] : [detection.newest, id];
      const outcome = outcomeOf(detection.kinds);
      detection.kinds |= kindOf(event.type_id);
      detection.newest = newest;
      if (detection.events > 0) database.run('INSERT OR IGNORE INTO follower VALUES (?)', older);
      detection.events += 1;
      const after = outcomeOf(detection.kinds);
      if (outcome !== null) sums.facet('outcome', outcome, outcome, -(detection.events - 1));
      if (after !== null) sums.facet('outcome', after, after, detection.events);
      database.run('INSERT INTO chain VALUES (?, ?)', id, detection.no);
      save(database, detection);
    },
    remove(_id, event) {
      if (event.detection_id === null) return;
      const detection = find(event.detection_id);
      if (detection === undefined) return;
      const outcome = outcomeOf(detection.kinds);
      if (outcome !== null) sums.facet('outcome', outcome, outcome, -1);
      detection.events -= 1;
      save(database, detection);
    },
    outcome: (detectionId) => {
      const detection = detectionId === null ? undefined : find(detectionId);
      return detection === undefined ? null : outcomeOf(detection.kinds);
    },
    turned: () =>
      [...known.values()]
        .filter(({ before, earlier, kinds }) => earlier > 0 && before !== outcomeOf(kinds))
        .flatMap(({ no }) =>
          database.all<{ readonly id: number }>('SELECT id FROM chain WHERE detection = ?', no).map(({ id }) => id),
        ),
  };
}

function save(database: Database, { no, kinds, newest, events }: DetectionRow): void {
  if (events === 0) database.run('DELETE FROM detection WHERE no = ?', no);
  else {
    const sql = 'UPDATE detection SET kinds = ?, outcome = ?, newest = ?, events = ? WHERE no = ?';
    database.run(sql, kinds, outcomeOf(kinds), newest, events, no);
  }
}
