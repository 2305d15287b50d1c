import {useNavigate, useParams} from '@tanstack/react-router'
import {useRef, useState} from 'react'

import type {AgreedPlan, JobDetail, JobPlan, JobSummary, TargetOutcome} from '#model/job.ts'
import {asSentence} from '#shared/sentence.ts'
import {whole} from '#shared/streams.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {useActiveConnectionOrNull, useWriteRefusal, useApi, useConnections, useAsked, useCall} from '#api/hooks.tsx'
import {ExportFrame} from '#commands/ExportFrame.tsx'
import {Failure} from '#commands/Failure.tsx'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {canRetry, isRunning, stopShareWords, toggled, wavesWords} from '#commands/jobs/job-words.ts'
import {JobProgress} from '#commands/jobs/JobProgress.tsx'
import {PlanDialog} from '#commands/jobs/PlanDialog.tsx'
import {agreedFacts, LeftOutList} from '#commands/jobs/PlanReview.tsx'
import {ReceiptsTable} from '#commands/jobs/ReceiptsTable.tsx'
import {useJob} from '#commands/jobs/use-job.ts'
import {useNames} from '#commands/jobs/use-names.ts'
import {UndoJobButton} from '#commands/undo/UndoListDialog.tsx'
import {useChooseConnection} from '#commands/use-choose-connection.ts'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, ErrorState, SkeletonLines, LoadingScreen} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Disclosure} from '#ui/Disclosure.tsx'
import {useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {KeyValue, fact, copiedFact} from '#ui/Facts.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './jobs.module.css'
import {t} from './text.ts'
import {WriteNote} from './WriteNote.tsx'

export function JobScreen() {
	const {id} = useParams({from: '/jobs/$id'})
	const {detail, error, retry} = useJob(id)
	const navigate = useNavigate()
	useKey('job.back', () => void navigate({to: '/jobs', search: {}}))
	const choose = useChooseConnection()
	const active = useActiveConnectionOrNull()
	const owner = useConnections()?.find(({id: each}) => each === detail?.summary.connection)
	if (owner !== undefined && owner.id !== active?.id)
		return (
			<EmptyState title={t.jobOf(owner.name)} act={[t.switchTo(owner.name), () => choose(owner.id)]}>
				{t.otherShown}
			</EmptyState>
		)
	if (detail !== undefined) return <Job key={id} detail={detail} />
	if (error === null) return <LoadingScreen label={t.loadingTheJob} />
	if (error.code !== 'unknown_job') return <ErrorState error={error} title={t.couldNotLoad} onRetry={retry} />
	return (
		<EmptyState title={t.jobNotFound} to={['/jobs', t.goJobs]}>
			{t.belongAnother}
		</EmptyState>
	)
}

function Job({detail}: {detail: JobDetail}) {
	const {summary} = detail
	const {search, change} = useAddress('/jobs/$id')
	const box = useRef<HTMLInputElement>(null)
	const progress = useRef<HTMLDivElement>(null)
	const [isExporting, setExporting] = useState(false)
	const retry = useRetry(summary.id)
	const left = canRetry(summary)
	const outcomes = search.outcomes ?? []
	const toggle = (outcome: TargetOutcome) => {
		const next = toggled(outcomes, outcome)
		change({outcomes: next.length === 0 ? undefined : next})
	}
	useKeys({
		'job.filter': () => box.current?.focus(),
		'job.export': () => setExporting(true),
		'job.retry': left > 0 && retry.make,
		'job.stop': () => progress.current?.querySelector<HTMLElement>('p > button')?.focus()
	})
	return (
		<Screen>
			<ScreenBar within={{list: 'Jobs', href: '/jobs'}} title={summary.title}>
				<RetryButton left={left} retry={retry} />
				<UndoJobButton id={summary.id} />
				<Button onPress={() => setExporting(true)} opens keys="e">
					{t.exportMore}
				</Button>
			</ScreenBar>
			<div className={styles.scroll}>
				<WriteNote />
				<Failure error={retry.failed} />
				<div className={styles.top} ref={progress}>
					<JobProgress id={summary.id} chosen={outcomes} onChoose={toggle} />
					<AgreedTo job={summary.id} />
				</div>
				<div className={cx('tools', styles.tools)}>
					<AddressField
						label={t.searchResults}
						hideLabel
						placeholder={t.partNameId}
						value={search.search}
						onChange={text => change({search: text})}
						inputRef={box}
					/>
					{outcomes.length !== 0 && (
						<Button small onPress={() => change({outcomes: undefined})}>
							{t.showAllOf(formatCount(summary.targets))}
						</Button>
					)}
				</div>
				<div className={styles.receipts}>
					<ReceiptsTable
						job={summary.id}
						kind={summary.kind}
						outcomes={outcomes}
						search={search.search ?? ''}
						onShowAll={() => change({outcomes: undefined, search: undefined})}
					/>
				</div>
			</div>
			{isExporting && <ExportDialog summary={summary} onClose={() => setExporting(false)} />}
			{retry.plan !== null && <PlanDialog plan={retry.plan} origin={t.newPlanUnsuccessful} onClose={retry.drop} />}
		</Screen>
	)
}

type Retry = ReturnType<typeof useRetry>

function useRetry(id: string) {
	const [plan, setPlan] = useState<JobPlan | null>(null)
	const {mutate, isPending, error} = useCall(client => client.jobs.retryPlan({id}), {onSuccess: setPlan})
	return {plan, isPending, failed: error, make: () => mutate(), drop: () => setPlan(null)}
}

function RetryButton({left, retry}: {left: number; retry: Retry}) {
	const lock = useWriteRefusal()
	if (left === 0) return null
	return (
		<Button
			tone="primary"
			lock={lock}
			reason={retry.isPending ? t.loadingCurrent : null}
			onPress={retry.make}
			opens
			tooltip={t.plansThese}
			keys="Shift+R"
		>
			{t.retry(counted(left, ['target', 'targets']))}
		</Button>
	)
}

function ExportDialog({summary, onClose}: {summary: JobSummary; onClose: () => void}) {
	const {client} = useApi()
	return (
		<ExportFrame
			title={t.exportTheResults}
			formats={[
				{value: 'csv', label: 'CSV', detail: 'a line for each target'},
				{value: 'json', label: 'JSON', detail: 'with the action, the digest and which targets were skipped'}
			]}
			write={(format, signal) => whole(client.jobs.export({id: summary.id, format}, {signal}))}
			onClose={onClose}
		>
			<p>{t.allTargets(formatCount(summary.targets))}</p>
			{isRunning(summary) ? <Banner>{t.jobStillRunning}</Banner> : null}
		</ExportFrame>
	)
}

/** The plan of a job: reason, waves, skipped targets, and its digest. Loaded once: it never changes. */
function AgreedTo({job}: {job: string}) {
	const {data: plan, error} = useAsked(q => q.jobs.agreed, {input: {id: job}})
	if (error !== null)
		return (
			<Banner tone="bad">
				{t.couldNotLoadApproved} {error.message}
			</Banner>
		)
	return plan === undefined ? <SkeletonLines lines={1} label={t.loadingApproved} /> : <Agreed plan={plan} />
}

function Agreed({plan}: {plan: AgreedPlan}) {
	const [isOpen, setOpen] = useState(false)
	const {action, createdAt, createdBy, digest, leftOut, because, waves, stopShare, tier} = plan
	const names = useNames(isOpen && (action.kind === 'move' || action.kind === 'policies'))
	const out = leftOut.length === 0 ? '' : ` · ${formatCount(leftOut.length)} skipped`
	return (
		<Disclosure title={t.approvedPlan} summary={`${action.reason}${out}`} isOpen={isOpen} onToggle={setOpen}>
			<div className={styles.agreed}>
				<KeyValue
					facts={[
						...agreedFacts(action, names),
						fact(
							'Planned',
							<>
								<Time at={createdAt} form="exact" focusable /> {t.by(createdBy)}
							</>
						),
						fact('Waves', `${wavesWords(waves)}; ${stopShareWords(stopShare)}`),
						fact('Tier', `${tier}. ${because.map(asSentence).join(' ')}`),
						copiedFact('Digest', digest, 'digest')
					]}
				/>
				<LeftOutList leftOut={leftOut} />
			</div>
		</Disclosure>
	)
}
