/** What is stored, in the order in which it was stored, as items for a target. */
import { eventSeverities, type EventRow } from '#shared/contract/events.ts';
import { stringifyExact } from '#shared/model/exact-json.ts';
import type { LogEntry } from '#shared/model/incident.ts';
import type { TargetDefinition } from '#shared/model/target.ts';

import type { IncidentLog } from '#core/record/incidents/types.ts';
import type { EventStore } from '#core/replicas/events/types.ts';
import { ocsfOfEntry, ocsfOfEvent } from './ocsf.ts';
import type { Batch, Source } from './session.ts';
import type { Cursor } from './store.ts';

export interface SourceParts {
	readonly log: Pick<IncidentLog, 'matching' | 'newest'>;
	events(connection: string): Pick<EventStore, 'arrivals' | 'arrived'>;
}

/** Items that are in memory at once. */
const most = 200;
/** The log is never made anew. */
const ofLog = 'log';

export function sourcesOf({ events, log }: TargetDefinition): readonly Source[] {
	return [...(events === null ? [] : (['events'] as const)), ...(log === null ? [] : (['log'] as const))];
}

/** Where a source ends now. */
export async function endOf(parts: SourceParts, definition: TargetDefinition, source: Source): Promise<Cursor> {
	if (source === 'log') return { generation: ofLog, position: await parts.log.newest() };
	const { generation, newest } = parts.events(definition.events?.connection ?? '').arrived();
	return { generation, position: newest };
}

/** What comes after the cursor; `null` for nothing new. A store of events that was made anew begins again. */
export async function nextBatch(
	parts: SourceParts,
	definition: TargetDefinition,
	source: Source,
	cursor: Cursor,
): Promise<(Batch & { readonly generation: string }) | null> {
	const end = await endOf(parts, definition, source);
	const after = cursor.generation === end.generation && cursor.position <= end.position ? cursor.position : 0;
	if (end.position <= after) return null;
	const batch =
		source === 'log'
			? await entries(parts, definition, after, end.position)
			: arrived(parts, definition, after, end.position);
	return { ...batch, generation: end.generation };
}

async function entries(
	parts: SourceParts,
	{ log, format }: TargetDefinition,
	after: number,
	end: number,
): Promise<Batch> {
	const { text = '', changesOnly: writesOnly = false } = log ?? {};
	const found = await parts.log.matching({ ...(text !== '' && { text }), writesOnly }, after, most);
	const items = found.map((entry) => ({
		...{ position: entry.seq, id: entry.id, kind: entry.kind, at: entry.at, severity: severityOf(entry) },
		body: format === 'ocsf' ? ocsfOfEntry(entry) : stringifyExact(entry),
	}));
	const last = items.at(-1)?.position ?? end;
	// Fewer than asked for: everything up to what was the end before was looked at.
	return { source: 'log', items, upTo: items.length === most ? last : Math.max(last, end) };
}

function severityOf({ kind }: LogEntry): number {
	return kind === 'command.failed' || kind === 'command.outcome_unknown' ? 2 : 0;
}

function arrived(parts: SourceParts, { events, format }: TargetDefinition, after: number, end: number): Batch {
	const { connection, filter } = events ?? { connection: '', filter: '' };
	const { events: found, upTo } = parts.events(connection).arrivals(after, most, filter);
	const items = found.map(({ no, row, json }) => ({
		...{ position: no, id: row.key, kind: 'event', at: row.at, severity: rankOf(row) },
		body: format === 'ocsf' ? ocsfOfEvent(row, json) : json,
	}));
	// None was found where all of them were trimmed since.
	return { source: 'events', items, upTo: upTo === after ? end : upTo };
}

function rankOf({ severity }: EventRow): number {
	return 4 - eventSeverities.indexOf(severity);
}
