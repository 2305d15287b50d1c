import {useNavigate, useParams} from '@tanstack/react-router'
import {useEffect, useEffectEvent, useState} from 'react'

import type {PlaybookProgress} from '#model/playbook.ts'
import {useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {Banner, EmptyState, ErrorState, LoadingScreen} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {saveText} from '#ui/save.ts'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Segments} from '#ui/Segments.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './playbooks.module.css'
import {runTones} from './PlaybooksScreen.tsx'
import {t} from './text.ts'
import {RunGraph} from './RunGraph.tsx'
import {type Acting, type Failed, FailedStep, Question, useActing} from './RunQuestions.tsx'
import {everyMs, Steps} from './RunSteps.tsx'

export function RunScreen() {
	const {id} = useParams({from: '/playbooks/$id'})
	const {data, error, refetch} = useAsked(q => q.playbooks.progress, {
		input: {run: id},
		refetchInterval: ({state}) => (state.data?.endedAt === null ? everyMs : false)
	})
	if (data !== undefined) return <Run key={id} run={data} onChange={refetch} />
	if (error === null) return <LoadingScreen label={t.stepsOfRun} />
	if (error.code !== 'unknown_run') return <ErrorState error={error} title={t.couldNotLoad} onRetry={refetch} />
	return (
		<EmptyState title={t.thereNoRun} to={['/playbooks', t.toPlaybooks]}>
			{error.message}
		</EmptyState>
	)
}

function Run({run, onChange}: {run: PlaybookProgress; onChange: () => Promise<unknown>}) {
	const {connection, state, because, questions, failedNames, startedAt, startedBy} = run
	const [view, setView] = useState<'graph' | 'list'>('graph')
	const act = useActing(onChange)
	const [failed, setFailed] = useState<Failed>(null)
	const isAtStep = (step: string) => questions.some(one => one.step === step) || run.failed.includes(step)
	// What failed while it went on is over once it is at rest, and the reverse.
	const leave = useEffectEvent(() => {
		setFailed(null)
		if (!act.isPending) act.reset()
	})
	const rest = state === 'running' || state === 'waiting' ? null : state
	useEffect(() => leave(), [rest])
	return (
		<Screen scrolls>
			<ScreenBar within={{list: t.playbooks, href: '/playbooks'}} title={run.title}>
				<Actions run={run} act={act.mutate} isActing={act.isPending} />
			</ScreenBar>
			<div className={styles.head}>
				<Failure error={act.error} />
				{/* Refused because somebody else was faster: the question is gone, and what they chose holds. */}
				<Failure error={failed === null || isAtStep(failed.step) ? null : failed.error} />
				<div className="fields">
					<TenantMark tenant={{id: connection}} />
					<Tag tone={runTones[state]}>{state}</Tag>
					<span className="quiet">
						<Time at={startedAt} /> {t.by(startedBy)}
					</span>
					<span className="spring" />
					<Segments
						label={t.view}
						value={view}
						onChange={setView}
						options={[
							{value: 'graph', title: t.graph},
							{value: 'list', title: t.list}
						]}
					/>
				</div>
				{because !== null && <Banner tone={state === 'failed' ? 'bad' : 'warning'}>{because}</Banner>}
				{questions.map(question => (
					<Question key={question.step} run={run.id} question={question} onChange={onChange} onFailed={setFailed} />
				))}
				{run.failed.map((step, index) => (
					<FailedStep key={step} {...{run: run.id, step, onChange}} name={failedNames[index] ?? step} onFailed={setFailed} />
				))}
			</div>
			{view === 'graph' ? (
				<RunGraph run={run} />
			) : (
				<div className="scroll">
					<Steps run={run} />
				</div>
			)}
		</Screen>
	)
}

function Actions({run: {id, state, endedAt}, act, isActing}: {run: PlaybookProgress; act: (work: Acting) => void; isActing: boolean}) {
	const navigate = useNavigate()
	const [key, setKey] = useState(() => crypto.randomUUID())
	const again: Acting = async playbooks => {
		const next = await playbooks.again({run: id, newest: false, key})
		setKey(crypto.randomUUID())
		await navigate({to: '/playbooks/$id', params: {id: next.id}})
	}
	if (endedAt !== null)
		return (
			<>
				<Button onPress={() => act(async playbooks => saveText(await playbooks.exportRun({run: id})))}>{t.exportRun}</Button>
				<Button onPress={() => act(again)} reason={isActing ? t.inProgress : null}>
					{t.runAgain}
				</Button>
			</>
		)
	const isAtRest = state === 'paused' || state === 'interrupted'
	return (
		<>
			{isAtRest ? (
				<Button tone="primary" onPress={() => act(playbooks => playbooks.resume({run: id}))}>
					{t.resumeRun}
				</Button>
			) : (
				<Button onPress={() => act(playbooks => playbooks.pause({run: id}))}>{t.pauseRun}</Button>
			)}
			<Button onPress={() => act(playbooks => playbooks.cancel({run: id}))}>{t.cancelRun}</Button>
		</>
	)
}
