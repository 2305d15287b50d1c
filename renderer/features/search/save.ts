import { csvOf } from '#shared/commands/table.ts';
import type { ActivityAnswer, ActivityComputer } from '#shared/contract/search.ts';
import type { Indicator } from '#shared/model/indicator.ts';

import { saveText } from '../../ui/save.ts';
import type { ShownPart } from './search.ts';

export interface SavedComputers {
	readonly answer: ActivityAnswer;
	readonly rows: readonly ActivityComputer[];
	readonly show: ShownPart;
	readonly indicator: Indicator;
}

const columns = ['guid', 'hostname', 'silent', 'group', 'os', 'last_seen', 'active', 'asked_for', 'asked_at'];

/** The computers that are shown, as a file; a cell that a spreadsheet would take for a formula cannot act. */
export function saveComputers(saved: SavedComputers, format: 'csv' | 'json'): void {
	const name = `${saved.show === 'silent' ? 'seen-but-silent' : 'seen'}-${fileWord(saved.indicator.value)}.${format}`;
	const text = format === 'csv' ? csv(saved) : json(saved);
	saveText({ name, mediaType: format === 'csv' ? 'text/csv' : 'application/json', text });
}

function csv({ answer, rows }: SavedComputers): string {
	const cells = rows.map((row) => {
		const facts = [row.guid, row.hostname, row.silent ? 'yes' : 'no', row.group ?? '', row.os, row.lastSeen ?? ''];
		return [...facts, row.active ? 'yes' : 'no', answer.value, answer.askedAt];
	});
	return csvOf({ columns, rows: cells });
}

function json({ answer, rows, show }: SavedComputers): string {
	const { value, kind, askedAt, phase, total } = answer;
	return JSON.stringify({ asked_for: value, kind, asked_at: askedAt, phase, total, show, computers: rows }, null, 2);
}

/** The beginning of what was asked for, as a part of a file's name. */
function fileWord(value: string): string {
	return value.replaceAll(/[^\w.-]+/g, '_').slice(0, 24);
}
