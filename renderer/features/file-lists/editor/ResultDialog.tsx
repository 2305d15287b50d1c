import {useState} from 'react'

import type {JobReceipt, JobSummary, TargetOutcome} from '#model/job.ts'
import {formatCount} from '#text/numbers.ts'

import {useWriteRefusal, useApi} from '#api/hooks.tsx'
import {countsWords, needSomebody, outcomeWords, phaseWords} from '#commands/jobs/job-words.ts'
import {Failure} from '#commands/Failure.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {saveText} from '#ui/save.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {LookTag} from '#ui/Tag.tsx'
import {Checkbox} from '#ui/Field.tsx'
import styles from './Editor.module.css'
import {t} from './text.ts'
import {useReceipts} from './use-commit-job.ts'
import {useAct} from './use-draft.ts'

const open: readonly TargetOutcome[] = ['failed', 'unknown', 'not_tried', 'not_confirmed']

interface ResultDialogProps {
	job: JobSummary
	onRetry: () => void
	onUndo: () => void
	onClose: () => void
}

/** The outcome of each row, live. Closing it stops nothing. */
export function ResultDialog({job, onRetry, onUndo, onClose}: ResultDialogProps) {
	const lock = useWriteRefusal()
	const ended = job.endedAt !== null
	const behind = needSomebody(job.counts)
	const {client} = useApi()
	const stopping = useAct(
		() => client.jobs.stop({id: job.id}),
		() => {}
	)
	const saving = useAct(() => client.jobs.export({id: job.id, format: 'csv'}), saveText)
	return (
		<Dialog
			title={job.title}
			onClose={onClose}
			size="large"
			footer={
				<>
					{!ended && (
						<Button onPress={stopping.run} reason={job.phase === 'applying' ? null : t.nothingLeft}>
							{t.stopJob}
						</Button>
					)}
					{ended && (
						<>
							<Button onPress={saving.run} reason={saving.isRunning ? t.saving : null}>
								{t.saveResults}
							</Button>
							<Button onPress={onUndo} lock={lock} reason={undoReason(job)}>
								{t.undoMore}
							</Button>
							<Button onPress={onRetry} lock={lock} reason={behind === 0 ? t.nothingFailed : null}>
								{t.retryFailed(formatCount(behind))}
							</Button>
						</>
					)}
					<Button tone="primary" onPress={onClose}>
						{ended ? t.close : t.leaveItRunning}
					</Button>
				</>
			}
		>
			<div className="stack">
				<p role="status">
					<b>{phaseWords(job)}</b>
					{t.inAll(countsWords(job.counts), formatCount(job.targets))}
				</p>
				{job.because !== null && <Banner tone={behind > 0 ? 'warning' : 'info'}>{job.because}</Banner>}
				<Failure error={ended ? null : stopping.error} />
				<Failure error={saving.error} />
				<Results job={job} />
			</div>
		</Dialog>
	)
}

/** The undo history refuses it too. */
function undoReason(job: JobSummary) {
	if (job.endedAt === null) return 'It still runs: it can be undone once it has ended.'
	return job.counts.done === 0 ? 'Nothing was changed.' : null
}

function Results({job}: {job: JobSummary}) {
	const [onlyOpen, setOnlyOpen] = useState(false)
	const rows = useReceipts(job.id, onlyOpen ? open : undefined)
	return (
		<>
			<Checkbox isSelected={onlyOpen} onChange={setOnlyOpen}>
				{t.unsuccessfulRowsOnly}
			</Checkbox>
			<div className={styles.results}>
				<DataTable
					label={t.results}
					source={rows}
					columns={columns}
					rowKey={({id}) => id}
					list={`${onlyOpen}`}
					describe={describe}
					isBusy={rows.isFirstLoad}
					empty={<p className="padded">{onlyOpen ? t.nothingFailedSo : t.noResultsYet}</p>}
				/>
			</div>
		</>
	)
}

const columns: readonly TableColumn<JobReceipt>[] = [
	{id: 'outcome', title: 'Result', width: 120, cell: ({outcome}) => <LookTag {...outcomeWords[outcome]} />},
	{id: 'hash', title: 'SHA-256', width: 180, look: 'mono', cell: ({id}) => id},
	{id: 'message', title: 'What the service said', width: 220, cell: ({message, observed}) => message ?? observed}
]

function describe({id, outcome, message}: JobReceipt) {
	return [id, outcomeWords[outcome].word, message].filter(part => part !== null).join(', ')
}
