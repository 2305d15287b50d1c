import type { DraftRow, DraftState } from '#shared/model/list-draft.ts';
import type { TextFile } from '#shared/model/text-file.ts';

import { csvLine } from '#shared/text/csv.ts';
import { listFileName } from '#core/base/list-file-name.ts';

/** The draft with its marks, to be looked through elsewhere; as CSV it can be staged again. */
export function exportDraft(
	{ list }: DraftState,
	rows: readonly DraftRow[],
	format: 'csv' | 'json',
	now: number,
): TextFile {
	const day = new Date(now).toISOString().slice(0, 10);
	const name = `${listFileName(list.name)}-draft-${day}.${format}`;
	if (format === 'json') {
		return { name, mediaType: 'application/json', text: `${JSON.stringify({ list, rows }, null, 2)}\n` };
	}
	const head = ['sha256', 'operation', 'note', 'verdict', 'marks', 'reason', 'source', 'place'];
	const lines = rows.map(({ key, operation, note, verdict, marks, reason, source, place }) =>
		csvLine([key, operation, note, verdict, marks.map(({ message }) => message).join(' '), reason, source, place]),
	);
	return { name, mediaType: 'text/csv', text: csvLine(head) + lines.join('') };
}
