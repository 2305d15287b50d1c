import {useEffect, useRef} from 'react'

import type {JobDetail, JobSummary, TargetOutcome} from '#model/job.ts'
import {asSentence} from '#shared/sentence.ts'
import {outcomeOrder} from '#text/acts.ts'
import {formatCount} from '#text/numbers.ts'
import {useActiveFrame, useWriteRefusal} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, Unloaded} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Countdown, Time} from '#ui/Time.tsx'
import {Failure} from '../Failure.tsx'
import {canStop, countsWords, endedOf, isRunning, outcomeLook, phaseView, stopWords, totalWords} from './job-words.ts'
import styles from './jobs.module.css'
import {t} from './text.ts'
import {useJob, useJobActs} from './use-job.ts'

interface JobProgressProps {
	id: string
	/** Turns each count into a filter of rows. */
	chosen?: readonly TargetOutcome[]
	onChoose?: (outcome: TargetOutcome) => void
}

/** A job's phase, wave, counts by outcome, what it waits for, and the button that stops sending. */
export function JobProgress({id, chosen, onChoose}: JobProgressProps) {
	const {detail, error, retry} = useJob(id)
	if (detail === undefined) return <Unloaded of={{error, refetch: retry}} title={t.couldNotLoad} lines={4} label={t.loadingTheJob} />
	return (
		<div className={styles.progress}>
			<Phase {...detail} />
			<Bar summary={detail.summary} />
			<Counts summary={detail.summary} chosen={chosen ?? []} onChoose={onChoose} />
			<TotalLine summary={detail.summary} />
			<JobNotes summary={detail.summary} runs={detail.runs} />
		</div>
	)
}

const announceEveryMs = 10_000

function Phase({summary, observeUntil}: JobDetail) {
	const {word, look} = phaseView(summary)
	const {wave, targets, counts} = summary
	useSpoken(`${word}: ${countsWords(counts)}`, isRunning(summary))
	return (
		<p className={styles.phase}>
			<Tag tone={look}>{word}</Tag>
			<span>{t.waveEnded(wave.number, wave.of, formatCount(endedOf(summary)), formatCount(targets))}</span>
			<span className="quiet">
				{t.started} <Time at={summary.startedAt} focusable /> {t.by(summary.startedBy)}
				{summary.endedAt !== null && (
					<>
						{t.ended} <Time at={summary.endedAt} focusable />
					</>
				)}
				{summary.phase === 'observing' && (
					<>
						{t.confirmsUntil} <Time at={observeUntil} form="clock" focusable />
					</>
				)}
			</span>
		</p>
	)
}

/** A screen reader hears progress at most every ten seconds, the end at once. */
function useSpoken(words: string, running: boolean) {
	const announce = useAnnounce()
	const last = useRef<{at: number; running: boolean; words: string} | null>(null)
	useEffect(() => {
		const now = Date.now()
		const before = last.current
		const ends = before?.running === true && !running
		if (!ends && (!running || before?.words === words || (before !== null && now - before.at < announceEveryMs))) return
		last.current = {at: now, running, words}
		announce(words, 'spoken')
	}, [announce, words, running])
}

function Bar({summary}: {summary: JobSummary}) {
	const {counts, targets} = summary
	const parts = outcomeOrder.filter(outcome => counts[outcome] > 0)
	return (
		<div
			className={styles.bar}
			role="progressbar"
			aria-label={t.endedTargets}
			aria-valuemin={0}
			aria-valuemax={targets}
			aria-valuenow={endedOf(summary)}
			aria-valuetext={countsWords(counts)}
		>
			{parts.map(outcome => (
				<span key={outcome} data-outcome={outcome} style={{flexGrow: counts[outcome]}} />
			))}
		</div>
	)
}

interface CountsProps {
	summary: JobSummary
	chosen: readonly TargetOutcome[]
	onChoose: ((outcome: TargetOutcome) => void) | undefined
}

function Counts({summary: {counts}, chosen, onChoose}: CountsProps) {
	const shown = outcomeOrder.filter(outcome => counts[outcome] > 0 || chosen.includes(outcome))
	return (
		<ul className={styles.counts} aria-label={t.countsByOutcome}>
			{shown.map(outcome => {
				const {word, shape, meaning, tone} = outcomeLook(outcome)
				const text = (
					<>
						<span className={styles.shape} data-look={tone} aria-hidden>
							{shape}
						</span>
						<b>{formatCount(counts[outcome])}</b> {word}
					</>
				)
				return (
					<li key={outcome}>
						{onChoose === undefined ? (
							<span className={styles.count} title={meaning}>
								{text}
							</span>
						) : (
							<button
								type="button"
								className={styles.count}
								aria-pressed={chosen.includes(outcome)}
								title={t.showsOnlyThese(meaning)}
								onClick={() => onChoose(outcome)}
							>
								{text}
							</button>
						)}
					</li>
				)
			})}
		</ul>
	)
}

function TotalLine({summary}: {summary: JobSummary}) {
	const {text, isEven} = totalWords(summary)
	return isEven ? <p className="quiet">{text}</p> : <Banner tone="bad">{text}</Banner>
}

/** Why the job waits or stopped, whether a program ended and left it, and what the operator can do. */
function JobNotes({summary, runs}: {summary: JobSummary; runs: 'here' | 'elsewhere' | 'nowhere'}) {
	const announce = useAnnounce()
	const lock = useWriteRefusal()
	const acts = useJobActs(summary.id, (after, act) =>
		announce(act === 'stop' ? `Nothing more is sent. ${countsWords(after.counts)}` : 'The job goes on')
	)
	const hasReserve = (useActiveFrame()?.quota?.remaining ?? 0) > 0
	const {because, waitingUntil, phase} = summary
	return (
		<>
			{waitingUntil !== null && isRunning(summary) ? (
				<Banner tone="warning">
					{t.waitingApi(because === null ? '' : `${asSentence(because)} `)} <Countdown to={waitingUntil} />
					{t.at} <Time at={waitingUntil} form="clock" focusable />.{hasReserve && ` ${t.releasesStill}`}
				</Banner>
			) : because === null ? null : (
				<Banner tone={phase === 'stopped' || phase === 'interrupted' ? 'warning' : 'info'}>{asSentence(because)}</Banner>
			)}
			{runs === 'elsewhere' && isRunning(summary) && <Banner>{t.anotherCordon}</Banner>}
			{phase === 'interrupted' && (
				<Banner
					tone="bad"
					action={
						<Button small tone="primary" lock={lock} reason={acts.isBusy ? t.checkingTargets : null} onPress={acts.resume}>
							{t.recheckAndResume}
						</Button>
					}
				>
					{t.jobInterrupted}
				</Banner>
			)}
			{canStop(summary) && (
				<p className={styles.stop}>
					<Button small onPress={acts.stop} reason={acts.isBusy ? t.stopping : null}>
						{t.stopJob}
					</Button>
					<span className="quiet">{stopWords(summary)}</span>
				</p>
			)}
			<Failure error={acts.failed} />
		</>
	)
}
