import {useNavigate} from '@tanstack/react-router'

import {isGuid} from '#model/formats.ts'
import type {JobReceipt, TargetOutcome} from '#model/job.ts'
import type {GuardedAction} from '#model/guard.ts'

import {usePaged} from '#api/pages.ts'
import {Link} from '#ui/Button.tsx'
import {EmptyState, ErrorState} from '#ui/States.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import {outcomeLook} from './job-words.ts'
import styles from './jobs.module.css'
import {t} from './text.ts'

interface ReceiptsTableProps {
	job: string
	kind: GuardedAction
	/** Shows these outcomes only, or all. */
	outcomes: readonly TargetOutcome[]
	search: string
	onShowAll: () => void
}

/** A row per target: requested, accepted and confirmed are three facts with three times. */
export function ReceiptsTable({job, kind, outcomes, search, onShowAll}: ReceiptsTableProps) {
	const navigate = useNavigate()
	const asked = {job, ...(outcomes.length !== 0 && {outcomes: [...outcomes]}), ...(search !== '' && {search})}
	const rows = usePaged(q => q.jobs.receipts, asked)
	const ofComputers = kind === 'isolate' || kind === 'release' || kind === 'move'
	const open = ({id}: JobReceipt) => {
		if (ofComputers) void navigate({to: '/computers/$guid', params: {guid: id}, search: {}})
		else if (isGuid(id)) void navigate({to: '/groups/$guid', params: {guid: id}, search: {}})
		else void navigate({to: '/file-lists/hash/$sha256', params: {sha256: id}, search: {}})
	}
	return (
		<DataTable
			label={t.results}
			source={rows.isFirstLoad ? undefined : rows}
			skeletons={8}
			columns={ofComputers ? columns : columns.map(column => (column.id === 'label' ? {...column, width: 250} : column))}
			rowKey={({id}) => id}
			list={JSON.stringify(asked)}
			describe={describe}
			onOpen={open}
			rowTone={({outcome}) => (outcome === 'failed' ? 'bad' : undefined)}
			isBusy={rows.isFirstLoad || rows.isPrevious}
			empty={
				rows.error === null ? (
					<EmptyState title={t.noMatchingTarget} act={[t.showAll, onShowAll]}>
						{search === '' ? t.noTargetOutcome : t.noneNameId(search)}
					</EmptyState>
				) : (
					<ErrorState error={rows.error} title={t.couldNotLoadResults} onRetry={rows.retry} />
				)
			}
		/>
	)
}

const columns: readonly TableColumn<JobReceipt>[] = [
	{id: 'label', title: 'Target', width: 156, look: 'name', cell: ({id, label}) => <span title={`${label} ${id}`}>{label}</span>},
	{id: 'outcome', title: 'Outcome', width: 180, grows: 0, cell: ({outcome}) => <Outcome outcome={outcome} />},
	{id: 'requested', title: 'Requested', width: 86, hasClock: true, look: 'dim', cell: ({requestedAt}) => clock(requestedAt)},
	{id: 'accepted', title: 'Accepted', width: 86, hasClock: true, yields: 2, look: 'dim', cell: ({acceptedAt}) => clock(acceptedAt)},
	{id: 'observed', title: 'Confirmed', width: 86, hasClock: true, look: 'dim', cell: ({observedAt}) => clock(observedAt)},
	{id: 'state', title: 'Last seen as', width: 104, yields: 3, cell: ({observed}) => observed?.replaceAll('_', ' ') ?? ''},
	{
		id: 'message',
		title: 'Why',
		width: 200,
		grows: 900,
		yields: 1,
		// A success needs no reason; the earlier answer would look like one.
		cell: ({outcome, message, error}) =>
			outcome === 'done' ? '' : <span title={[message, error].filter(part => part !== null).join(' · ')}>{message}</span>
	},
	{
		id: 'entry',
		title: 'Log',
		width: 60,
		yields: 4,
		cell: ({entry, label}) =>
			entry === null ? (
				''
			) : (
				<Link href={`/log?entry=${entry}`} aria-label={t.logEntryOf(label)}>
					{t.entry}
				</Link>
			)
	}
]

function clock(at: string | null) {
	return at === null ? '—' : <Time at={at} form="clock" />
}

function Outcome({outcome}: {outcome: TargetOutcome}) {
	const {word, shape, tone, meaning} = outcomeLook(outcome)
	return (
		<span title={meaning}>
			<span className={styles.shape} data-look={tone} aria-hidden>
				{shape}
			</span>{' '}
			{word}
		</span>
	)
}

function describe({label, outcome, observed, message}: JobReceipt) {
	const parts = [label, outcomeLook(outcome).word, observed?.replaceAll('_', ' '), message]
	return parts.filter(part => part != null && part !== '').join(', ')
}
