import type {FileListItemRow} from '#contract/directory.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {t} from './text.ts'

/** Of the list with this GUID. */
export const itemColumnsOf = (guid: string): readonly TableColumn<FileListItemRow>[] => [
	{
		id: 'sha256',
		title: 'SHA-256',
		width: 196,
		grows: 340,
		look: 'mono',
		sortable: true,
		cell: ({sha256}) => (
			<RowLink href={`/file-lists/${guid}/${sha256}`} title={sha256}>
				{sha256}
			</RowLink>
		)
	},
	{id: 'description', title: 'Note', width: 170, grows: 340, sortable: true, cell: ({description}) => description},
	{id: 'source', title: 'Source', width: 170, yields: 3, look: 'dim', sortable: true, cell: ({source}) => source},
	{
		id: 'first',
		title: 'First seen here',
		width: 108,
		grows: 0,
		yields: 4,
		look: 'dim',
		cell: ({firstSeen}) => (firstSeen === null ? <BeforeUs /> : <Time at={firstSeen} />)
	},
	{
		id: 'seen',
		title: 'Seen on',
		width: 78,
		grows: 0,
		align: 'end',
		sortable: true,
		cell: ({seen}) => <span title={t.computersStored}>{seen.computers === 0 ? '–' : formatCount(seen.computers)}</span>
	},
	{id: 'names', title: 'Names', width: 116, yields: 1, cell: ({seen}) => <span title={seen.names.join(', ')}>{seen.names.join(', ')}</span>},
	{id: 'disposition', title: 'Disposition', width: 96, grows: 0, yields: 2, cell: ({seen}) => <Dispositions dispositions={seen.dispositions} />}
]

function BeforeUs() {
	return <span title={t.listBefore}>{t.alreadyOnIt}</span>
}

/** As named in events; a clean file in a blocking list is a warning. */
export function Dispositions({dispositions}: {dispositions: readonly string[]}) {
	return (
		<span title={dispositions.join(', ')}>
			{dispositions.map(word => (
				<Tag key={word} tone={toneOf(word)}>
					{word}
				</Tag>
			))}
		</span>
	)
}

function toneOf(disposition: string) {
	const word = disposition.toLowerCase()
	return word === 'malicious' ? 'bad' : word === 'clean' ? 'warn' : 'plain'
}

/** An item in words, for announcements. */
export function describeItem({sha256, description, seen}: FileListItemRow) {
	const parts = [
		sha256,
		description === '' ? 'no note' : description,
		seen.computers === 0 ? null : `seen on ${counted(seen.computers, nouns.computer)}`,
		seen.names[0] ?? null,
		seen.dispositions.length === 0 ? null : `disposition: ${seen.dispositions.join(', ')}`
	]
	return parts.filter(part => part !== null).join(', ')
}
