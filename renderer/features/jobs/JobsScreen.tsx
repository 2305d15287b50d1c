import {useNavigate} from '@tanstack/react-router'
import {useState} from 'react'

import type {JobPlan, JobSummary} from '#model/job.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatCount} from '#text/numbers.ts'
import {useConnected, useCall} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import {countsWords, endedOf, needSomebody, phaseView} from '#commands/jobs/job-words.ts'
import {PlanDialog} from '#commands/jobs/PlanDialog.tsx'
import {useUi} from '#state/ui.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, ErrorState} from '#ui/States.tsx'
import {Button, Link, FileButton} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea} from '#ui/Field.tsx'
import {Tag} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Countdown, Time} from '#ui/Time.tsx'
import styles from './jobs.module.css'
import {t} from './text.ts'
import {WriteNote} from './WriteNote.tsx'

/** Bulk work on this connection: what has not ended, then the newest. */
export function JobsScreen() {
	const {search, change} = useAddress('/jobs')
	const navigate = useNavigate()
	const {connection} = useConnected()
	const setOverlay = useUi(ui => ui.setOverlay)
	const [plan, setPlan] = useState<JobPlan | null>(null)
	const rows = usePaged(q => q.jobs.list, {connection})
	const {newest, error, isFirstLoad} = rows
	const toImport = (act: 'import' | undefined) => change({act})
	useKeys({'jobs.import': () => toImport('import'), 'jobs.undo': () => setOverlay('undo')})
	return (
		<Screen>
			<ScreenBar
				title={t.jobs}
				facts={
					newest === undefined || newest.matching === 0 ? undefined : (
						<span>
							{formatCount(newest.matching)}
							{newest.running === 0 ? t.noneRunning : t.runningOf(formatCount(newest.running))}
						</span>
					)
				}
			>
				<Button onPress={() => setOverlay('undo')} opens keys="Shift+U">
					{t.undoHistory}
				</Button>
				<Button onPress={() => toImport('import')} opens keys="Shift+I">
					{t.planFileMore}
				</Button>
			</ScreenBar>
			<WriteNote />
			<div className={styles.table}>
				{error !== null && newest === undefined ? (
					<ErrorState error={error} title={t.couldNotLoadJobs} onRetry={rows.retry} />
				) : (
					<DataTable
						label={t.jobs}
						source={isFirstLoad ? undefined : rows}
						columns={jobColumns}
						rowKey={({id}) => id}
						describe={describe}
						onOpen={({id}) => void navigate({to: '/jobs/$id', params: {id}, search: {}})}
						isBusy={isFirstLoad || rows.isPrevious}
						empty={<NoJobs />}
					/>
				)}
			</div>
			{search.act === 'import' && plan === null && <ImportDialog onPlan={setPlan} onClose={() => toImport(undefined)} />}
			{plan !== null && (
				<PlanDialog
					plan={plan}
					origin={t.plannedUtc(plan.createdBy, plan.createdAt.slice(0, 16).replace('T', ' '))}
					onClose={() => {
						setPlan(null)
						toImport(undefined)
					}}
				/>
			)}
		</Screen>
	)
}

function NoJobs() {
	const openBulk = useUi(ui => ui.openBulk)
	return (
		<EmptyState
			title={t.noJobsYet}
			action={
				<Button onPress={() => openBulk('isolate', [])} opens>
					{t.isolateManyComputers}
				</Button>
			}
		>
			{t.jobIsolates} <Link href="/computers">{t.listOfComputers}</Link>
			{t.startListNames}
		</EmptyState>
	)
}

function describe(summary: JobSummary) {
	return `${summary.title}, ${phaseView(summary).word}, ${countsWords(summary.counts)}`
}

const jobColumns: readonly TableColumn<JobSummary>[] = [
	{
		id: 'title',
		title: 'Job',
		width: 210,
		look: 'name',
		cell: ({id, title}) => (
			<RowLink href={`/jobs/${id}`} title={title}>
				{title}
			</RowLink>
		)
	},
	{id: 'phase', title: 'State', width: 160, cell: job => <Phase job={job} />},
	{id: 'ended', title: 'Ended', width: 124, yields: 4, align: 'end', cell: job => `${formatCount(endedOf(job))} of ${formatCount(job.targets)}`},
	{id: 'wave', title: 'Wave', width: 70, yields: 3, cell: ({wave}) => `${wave.number} of ${wave.of}`},
	{id: 'counts', title: 'Outcomes', width: 260, yields: 1, cell: job => <Counts job={job} />},
	{id: 'started', title: 'Started', width: 100, cell: ({startedAt}) => <Time at={startedAt} />},
	{id: 'by', title: 'By', width: 100, yields: 2, look: 'dim', cell: ({startedBy}) => startedBy}
]

function Phase({job}: {job: JobSummary}) {
	const {word, look} = phaseView(job)
	return (
		<span title={job.because ?? ''}>
			<Tag tone={look}>{word}</Tag>
			{job.waitingUntil !== null && (
				<>
					{' '}
					<Countdown to={job.waitingUntil} />
				</>
			)}
		</span>
	)
}

function Counts({job: {counts}}: {job: JobSummary}) {
	const words = countsWords(counts)
	return (
		<span className={needSomebody(counts) > 0 ? 'warn' : undefined} title={words}>
			{words}
		</span>
	)
}

/** Message limit; a plan of 50,000 targets is smaller. */
const largestFile = 20_000_000

/** Opens a saved plan. It is checked completely before use, and nothing is sent. */
function ImportDialog({onPlan, onClose}: {onPlan: (plan: JobPlan) => void; onClose: () => void}) {
	const {connection} = useConnected()
	const [text, setText] = useState('')
	const [refused, setRefused] = useState<string | null>(null)
	const {mutate, reset, isPending, error} = useCall((client, given: string) => client.jobs.importPlan({connection, text: given}), {
		onSuccess: onPlan
	})
	const fits = (size: number, name: string) => {
		setRefused(size > largestFile ? `${name} is larger than 20 MB: apply it with cordon job … --apply FILE.` : null)
		return size <= largestFile
	}
	const read = async (file: File | undefined) => {
		if (file === undefined) return
		reset()
		if (!fits(file.size, file.name)) return
		try {
			mutate(await file.text())
		} catch {
			setRefused(t.couldNotOpen(file.name))
		}
	}
	const {field} = error?.details ?? {}
	return (
		<Dialog
			title={t.planFile}
			cancel
			onClose={onClose}
			act={[t.reviewPlan, () => fits(text.length, 'The text') && mutate(text), isPending ? t.checking : text.trim() === '' ? t.chooseFile : null]}
		>
			<p>{t.planSavedHere}</p>
			<div
				className={styles.drop}
				onDragOver={event => event.preventDefault()}
				onDrop={event => {
					event.preventDefault()
					void read(event.dataTransfer.files[0])
				}}
			>
				<FileButton label={t.planFileTitle} accept=".json,application/json" onFile={read} autoFocus>
					{t.chooseAFile}
				</FileButton>
				<span className="quiet">{t.dropHere}</span>
			</div>
			<TextArea
				label={t.pasteText}
				value={text}
				onChange={given => {
					setRefused(null)
					setText(given)
				}}
				rows={4}
				mono
			/>
			{refused !== null && <Banner tone="bad">{refused}</Banner>}
			{error !== null && (
				<Banner tone="bad">
					{asSentence(error.message)}
					{field !== undefined && (
						<>
							{' '}
							{t.at} <code>{field}</code>.
						</>
					)}
				</Banner>
			)}
		</Dialog>
	)
}
