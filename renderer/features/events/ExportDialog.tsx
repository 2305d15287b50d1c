import { isByValue, type EventQuery, type EventWindow } from '#shared/contract/events.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ExportFrame } from '../../commands/ExportFrame.tsx';
import { t } from './text.ts';

interface ExportDialogProps {
	readonly question: EventQuery;
	readonly matching: EventWindow['matching'] | undefined;
	readonly onClose: () => void;
}

/** All rows that match, not only those on the screen, as a file from the local copy. */
export function ExportDialog({ question, matching, onClose }: ExportDialogProps) {
	const { client } = useApi();
	const gathered = isByValue(question.grouping) ? ofRows : { csv: '', jsonl: '' };
	return (
		<ExportFrame
			title={t.exportTheEvents}
			formats={[
				{ value: 'csv', label: 'CSV', detail: `for a spreadsheet; cells cannot act as formulas${gathered.csv}` },
				{
					value: 'jsonl',
					label: 'JSON Lines',
					detail: `the service's records, one per line, every digit kept${gathered.jsonl}`,
				},
			]}
			write={(format) => client.events.export({ ...question, format })}
			lacks={({ cut }) => (cut ? notWhole : null)}
			onClose={onClose}
		>
			<p>
				{t.currentFilter(
					matching === undefined
						? t.allRowsMatch
						: t.allRowsThatMatch(matching.exact ? '' : '≥ ', formatCount(matching.count)),
				)}
			</p>
		</ExportFrame>
	);
}

/** A row is its newest event: what else it stands for, only a table can say. */
const ofRows = { csv: '; with how many events each row stands for', jsonl: '; of each row its newest alone' };

const notWhole =
	'The file was saved, but it is not whole: there are more rows than one file takes. Choose a shorter time for the older ones.';
