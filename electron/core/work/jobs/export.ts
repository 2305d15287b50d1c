/** Results of every target, for a ticket or a spreadsheet. */
import type { AgreedPlan, JobSummary } from '#shared/model/job.ts';

import { csvLine, type Cell } from '#shared/text/csv.ts';
import { receiptOf } from './summary.ts';
import type { StepRow } from '#core/engine/port.ts';

const columns = [
	'id',
	'label',
	'outcome',
	'requestedAt',
	'acceptedAt',
	'observedAt',
	'observed',
	'message',
	'error',
	'requestId',
	'entry',
] as const;

export function* csvOf(rows: readonly StepRow[]): Iterable<string> {
	yield csvLine([...columns]);
	for (const row of rows) {
		const receipt = receiptOf(row);
		yield csvLine(columns.map((column): Cell => receipt[column]));
	}
}

/** One object: the job, what it left out, and a receipt for each target. */
export function* jsonOf(
	summary: JobSummary,
	{ action, leftOut, digest }: AgreedPlan,
	rows: readonly StepRow[],
): Iterable<string> {
	const head = JSON.stringify({ job: summary, action, digest, leftOut });
	yield `${head.slice(0, -1)},"receipts":[\n`;
	for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : ',\n'}${JSON.stringify(receiptOf(row))}`;
	yield '\n]}\n';
}
