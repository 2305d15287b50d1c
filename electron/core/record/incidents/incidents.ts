import { CordonError } from '#shared/contract/errors.ts';
import type { Incident, LogEntry, Surface } from '#shared/model/incident.ts';

import type { Database } from '#core/store/database.ts';
import type { NewEntry } from './types.ts';

const changes = `kind IN ('incident.opened', 'incident.closed', 'incident.reopened')`;

/** Incidents as their entries tell, newest first. */
export const incidentSelect = `
  SELECT opened.incident AS id, opened.data ->> 'title' AS title, opened.data ->> 'reference' AS reference, opened.at AS opened_at,
    last.kind AS last_kind, last.at AS last_at, (SELECT count(*) FROM entry WHERE incident = opened.incident) AS entries
  FROM entry AS opened
  JOIN entry AS last ON last.seq = (SELECT max(seq) FROM entry WHERE incident = opened.incident AND ${changes})
  WHERE opened.kind = 'incident.opened'`;

export interface IncidentRow {
  readonly id: string;
  readonly title: string;
  readonly reference: string;
  readonly opened_at: string;
  readonly last_kind: LogEntry['kind'];
  readonly last_at: string;
  readonly entries: number;
}

export function listIncidents(database: Database): readonly Incident[] {
  return database.all<IncidentRow>(`${incidentSelect} ORDER BY opened.seq DESC`).map(incidentOf);
}

/** Throws `not_found`. */
export function readIncident(database: Database, id: string): Incident {
  const row = database.get<IncidentRow>(`${incidentSelect} AND opened.incident = ?`, id);
  if (row !== undefined) return incidentOf(row);
  throw new CordonError('not_found', `There is no incident ${id}.`, { field: 'incident' });
}

export function openingEntry(
  id: string,
  input: { readonly title: string; readonly reference: string },
  surface: Surface,
): NewEntry {
  const title = input.title.trim();
  if (title === '') throw new CordonError('invalid_argument', 'The title is empty.', { field: 'title' });
  const reference = input.reference.trim();
  const message = reference === '' ? `Incident opened: ${title}.` : `Incident opened: ${title} (${reference}).`;
  return { kind: 'incident.opened', surface, incident: id, message, data: { title, reference } };
}

export function turningEntry(incident: Incident, open: boolean, surface: Surface): NewEntry {
  const kind = open ? 'incident.reopened' : 'incident.closed';
  return {
    kind,
    surface,
    incident: incident.id,
    message: `Incident ${open ? 'reopened' : 'closed'}: ${incident.title}.`,
  };
}

export function incidentOf(row: IncidentRow): Incident {
  const closed = row.last_kind === 'incident.closed';
  return {
    id: row.id,
    title: row.title,
    reference: row.reference,
    open: !closed,
    openedAt: row.opened_at,
    closedAt: closed ? row.last_at : null,
    entries: row.entries,
  };
}
