import {keepPreviousData, useMutation, useQuery} from '@tanstack/react-query'
import {useNavigate, useParams} from '@tanstack/react-router'
import {memo, useEffect, useEffectEvent, useMemo, useState} from 'react'

import {hasCode} from '#contract/errors.ts'
import type {PlaybookQuestion, PlaybookProgress, PlaybookStepRun} from '#model/playbook.ts'
import type {WorkflowStep} from '#model/playbook-document.ts'
import {isRecord} from '#shared/is-record.ts'
import {formatDuration} from '#text/durations.ts'
import {formatCount} from '#text/numbers.ts'
import {stepStateWords} from '#text/states.ts'
import {useApi, useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {Banner, EmptyState, ErrorState, Loaded, LoadingScreen} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {PlainTable, CodeView, tableRow} from '#ui/Facts.tsx'
import {keepFocus} from '#ui/list-of-screen.ts'
import {saveText} from '#ui/save.ts'
import {Disclosure} from '#ui/Disclosure.tsx'
import {Screen, ScreenBody, ScreenBar} from '#ui/Screen.tsx'
import {Segments} from '#ui/Segments.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {SidePanel, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import styles from './playbooks.module.css'
import {runTones} from './PlaybooksScreen.tsx'
import {stepTones, kindTitles, marksOf} from './steps.ts'
import {t} from './text.ts'
import {LazyGraph} from './LazyGraph.tsx'

const everyMs = 1000

/** One run: its steps, questions, and actions. */
export function RunScreen() {
	const {id} = useParams({from: '/playbooks/$id'})
	const {data, error, refetch} = useAsked(q => q.playbooks.progress, {
		input: {run: id},
		refetchInterval: ({state}) => (state.data?.endedAt === null ? everyMs : false),
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

interface RunProps {
	run: PlaybookProgress
	onChange: () => Promise<unknown>
}

function Run({run, onChange}: RunProps) {
	const {connection, state, because, questions, failedNames, startedAt, startedBy} = run
	const [view, setView] = useState<'graph' | 'list'>('graph')
	const act = useActing(onChange)
	const [failed, setFailed] = useState<Failed>(null)
	const isAtStep = (step: string) => questions.some(one => one.step === step) || run.failed.includes(step)
	// What failed while it went on is over once it is at rest, and the reverse.
	const leave = useEffectEvent(() => (setFailed(null), void (act.isPending || act.reset())))
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
							{value: 'list', title: t.list},
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

type Act = (work: () => Promise<unknown>) => void

type Failed = {readonly step: string; readonly error: Error} | null

interface PartProps extends Pick<RunProps, 'onChange'> {
	run: string
	onFailed: (failed: Failed) => void
}

/** The failure of a question or a failed step stands beside it. */
function useActing(onChange: RunProps['onChange'], step = '', onFailed?: PartProps['onFailed']) {
	return useMutation({
		onMutate: () => onFailed?.(null),
		// What was not sent is over with its question.
		onError: error => onFailed?.(hasCode(error, 'reset') ? null : {step, error}),
		mutationFn: (work: () => Promise<unknown>) => work(),
		onSettled: async () => {
			// Until then its question is still there.
			await onChange()
			// The pressed button may be gone.
			setTimeout(keepFocus, 50)
		},
	})
}

function Actions({run: {id, state, endedAt}, act, isActing}: {run: PlaybookProgress; act: Act; isActing: boolean}) {
	const {client} = useApi()
	const navigate = useNavigate()
	const [key, setKey] = useState(() => crypto.randomUUID())
	const again = async () => {
		const next = await client.playbooks.again({run: id, newest: false, key})
		setKey(crypto.randomUUID())
		await navigate({to: '/playbooks/$id', params: {id: next.id}})
	}
	const save = async () => saveText(await client.playbooks.exportRun({run: id}))
	if (endedAt !== null)
		return (
			<>
				<Button onPress={() => act(save)}>{t.exportRun}</Button>
				<Button onPress={() => act(again)} reason={isActing ? t.inProgress : null}>
					{t.runAgain}
				</Button>
			</>
		)
	const isAtRest = state === 'paused' || state === 'interrupted'
	return (
		<>
			{isAtRest ? (
				<Button tone="primary" onPress={() => act(() => client.playbooks.resume({run: id}))}>
					{t.resumeRun}
				</Button>
			) : (
				<Button onPress={() => act(() => client.playbooks.pause({run: id}))}>{t.pauseRun}</Button>
			)}
			<Button onPress={() => act(() => client.playbooks.cancel({run: id}))}>{t.cancelRun}</Button>
		</>
	)
}

interface QuestionProps extends PartProps {
	question: PlaybookQuestion
}

function Question({run, question: {step, name, question, free, approval}, onChange, onFailed}: QuestionProps) {
	const {client} = useApi()
	const [text, setText] = useState('')
	const act = useActing(onChange, step, onFailed)
	const busy = act.isPending ? t.inProgress : null
	const answer = (given: string) => act.mutate(() => client.playbooks.answer({run, step, answer: given, reason: null}))
	return (
		<section className="stack" aria-label={t.questionOf(name)}>
			<Banner tone="warning">{question}</Banner>
			<div className="fields">
				{free && (
					<>
						<TextField label={t.answer} value={text} onChange={setText} />
						<Button tone="primary" onPress={() => answer(text)} reason={busy ?? (text.trim() === '' ? t.missing(t.answer) : null)}>
							{t.answer}
						</Button>
					</>
				)}
				{approval !== null && <Link href="/approvals">{t.toApprovals}</Link>}
				{!free && approval === null && (
					<>
						<Button tone="primary" onPress={() => answer('yes')} reason={busy}>
							{t.yesToIt}
						</Button>
						<Button onPress={() => answer('no')} reason={busy}>
							{t.noToIt}
						</Button>
					</>
				)}
			</div>
			<Failure error={act.error} />
		</section>
	)
}

interface FailedStepProps extends PartProps {
	step: string
	name: string
}

function FailedStep({run, step, name, onChange, onFailed}: FailedStepProps) {
	const {client} = useApi()
	const act = useActing(onChange, step, onFailed)
	const busy = act.isPending ? t.inProgress : null
	const [reason, setReason] = useState('')
	return (
		<div className="fields" role="group" aria-label={t.failedStep(name)}>
			<strong>{name}</strong>
			<Button tone="primary" onPress={() => act.mutate(() => client.playbooks.retry({run, step}))} reason={busy}>
				{t.retryStep}
			</Button>
			<TextField label={t.reasonForSkipping} value={reason} onChange={setReason} />
			<Button
				onPress={() => act.mutate(() => client.playbooks.skip({run, step, reason}))}
				reason={busy ?? (reason.trim() === '' ? t.missing(t.reasonForSkipping) : null)}
			>
				{t.skipStep}
			</Button>
			<Failure error={act.error} />
		</div>
	)
}

/** Newest first, and as many as were asked for; of one step of the document, or of all. */
function useSteps({id, endedAt}: PlaybookProgress, pageSize: number, step?: string) {
	const [limit, setLimit] = useState(pageSize)
	const {data, error, isSuccess, refetch} = useAsked(q => q.playbooks.steps, {
		input: {run: id, offset: 0, limit, step, brief: step === undefined},
		staleTime: 0,
		refetchInterval: endedAt === null && everyMs,
		placeholderData: keepPreviousData,
	})
	// The end of a run ends its looks, and is looked at once more.
	useEffect(() => void refetch(), [endedAt, refetch])
	const {rows, matching} = data ?? {rows: [], matching: 0}
	const more = rows.length < Math.min(matching, mostRows) && (
		<div className="cluster">
			<Button small onPress={() => setLimit(Math.min(limit * 2, mostRows))}>
				{t.showMoreOf(formatCount(matching))}
			</Button>
		</div>
	)
	return {
		rows,
		more,
		isEmpty: isSuccess && rows.length === 0,
		failure: <Failure error={error} act={[t.tryAgain, () => void refetch()]} />,
	}
}

/** Limit of the procedure. */
const mostRows = 10_000

function Steps({run}: {run: PlaybookProgress}) {
	const {rows, more, isEmpty, failure} = useSteps(run, 100)
	return (
		<>
			{failure}
			{isEmpty && <p className="quiet">{t.noStepsYet}</p>}
			{more}
			{rows.length !== 0 && <StepTable steps={rows.toReversed()} />}
		</>
	)
}

function StepTable({steps}: {steps: readonly PlaybookStepRun[]}) {
	return (
		<PlainTable caption={t.stepsOfRun}>
			{steps.map(({id, name, kind, state, attempt, begunAt, error, output}) => (
				<tr key={id}>
					<th scope="row">{name}</th>
					<td>
						<Tag tone={stepTones[state]}>{stepStateWords({kind, state})}</Tag>
					</td>
					<td>{attempt > 1 && t.attemptOf(attempt)}</td>
					<td>{begunAt !== null && <Time at={begunAt} />}</td>
					<td className={styles.result} title={resultOf(error, output)}>
						{resultOf(error, output)}
					</td>
				</tr>
			))}
		</PlainTable>
	)
}

function resultOf(error: PlaybookStepRun['error'], output: unknown) {
	if (error !== null) return error.message
	if (typeof output === 'string') return output
	const answer: unknown = typeof output === 'object' && output !== null && 'payload' in output ? output.payload : null
	return typeof answer === 'object' && answer !== null && 'answer' in answer ? String(answer.answer) : ''
}

/** The document as a chart, live while it runs, with the chosen step beside it. */
function RunGraph({run}: {run: PlaybookProgress}) {
	const [chosen, setChosen] = useState<string | null>(null)
	const pinned = useAsked(q => q.playbooks.pinned, {input: {run: run.id}, staleTime: Infinity})
	const document = pinned.data
	const marks = useMemo(() => (document === undefined ? new Map() : marksOf(document, run.steps)), [document, run.steps])
	const step = chosen === null ? undefined : document?.workflow[chosen]
	return (
		<ScreenBody>
			<Loaded of={pinned} lines={8} label={t.graph}>
				{known => <LazyGraph document={known} marks={marks} selected={chosen} onSelect={setChosen} />}
			</Loaded>
			{chosen !== null && step !== undefined && (
				<StepPanel key={chosen} run={run} id={chosen} step={step} onClose={() => setChosen(null)} />
			)}
		</ScreenBody>
	)
}

interface StepPanelProps {
	run: PlaybookProgress
	id: string
	step: WorkflowStep
	onClose: () => void
}

/** All facts of one step of a run. */
function StepPanel({run, id, step, onClose}: StepPanelProps) {
	const {rows, more, isEmpty, failure} = useSteps(run, 10, id)
	const name = step.name ?? kindTitles[step.type]
	return (
		<SidePanel label={t.stepNamed(name)} onClose={onClose}>
			<SidePanelHeader title={name} name={name}>
				<SidePanelNote>{kindTitles[step.commands?.[0]?.type === 'manual' ? 'manual' : step.type]}</SidePanelNote>
			</SidePanelHeader>
			{step.condition !== undefined && <code>{step.condition}</code>}
			{failure}
			{isEmpty && <p className="quiet">{t.stepHasNotBegun}</p>}
			{rows.map((row, index) => (
				<Row key={row.id} run={run.id} row={row} isFirst={index === 0} />
			))}
			{more}
		</SidePanel>
	)
}

const Row = memo(function Row({run, row, isFirst}: {run: string; row: PlaybookStepRun; isFirst: boolean}) {
	// Each reads the log: of many rows only those that are asked for.
	const [isOpen, setOpen] = useState(isFirst)
	const {state, attempt, begunAt, endedAt, input, output, error, past, due} = row
	return (
		<section className="stack" aria-label={row.id}>
			<div className="fields">
				<Tag tone={stepTones[state]}>{stepStateWords(row)}</Tag>
				{attempt > 1 && <span className="quiet">{t.attemptOf(attempt)}</span>}
				<span className="quiet">
					{begunAt !== null && <Time at={begunAt} />}
					{begunAt !== null && endedAt !== null && `, ${formatDuration(Date.parse(endedAt) - Date.parse(begunAt))}`}
				</span>
				{due !== null && (
					<span className="quiet">
						{t.until} <Time at={due} form="exact" />
					</span>
				)}
			</div>
			{error !== null && <p className={styles.bad}>{error.message}</p>}
			{past.length !== 0 && <Attempts past={past} />}
			<Part title={t.input} value={set(input)} />
			<Part title={t.output} value={output} />
			<Disclosure title={t.logEntries} isOpen={isOpen} onToggle={setOpen}>
				<Entries run={run} step={row.id} version={`${state} ${attempt}`} />
			</Disclosure>
		</section>
	)
})

function Part({title, value}: {title: string; value: unknown}) {
	if (value === null || value === undefined || value === '') return null
	return (
		<>
			<h3 className="quiet">{title}</h3>
			<CodeView label={title} value={parsed(value)} />
		</>
	)
}

/** A request without the fields that have no value. */
function set(input: unknown): unknown {
	if (!isRecord(input)) return input
	return Object.fromEntries(Object.entries(input).flatMap(([name, value]) => (value === null ? [] : [[name, set(value)]])))
}

/** Answers are stored as text. */
function parsed(value: unknown) {
	if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
	try {
		return JSON.parse(value)
	} catch {
		return value
	}
}

function Attempts({past}: Pick<PlaybookStepRun, 'past'>) {
	return (
		<PlainTable caption={t.attemptsBefore}>
			{past.map(({attempt, state, message, begunAt}) =>
				tableRow(attempt, attempt, state, begunAt !== null && <Time at={begunAt} />, message),
			)}
		</PlainTable>
	)
}

/** Read anew with each version of its row. */
function Entries({run, step, version}: {run: string; step: string; version: string}) {
	const {queries} = useApi()
	const options = queries.playbooks.entries.queryOptions({input: {run, step}})
	const {data, error} = useQuery({...options, queryKey: [...options.queryKey, version], placeholderData: keepPreviousData})
	if (error !== null) return <Failure error={error} />
	if (data === undefined || data.length === 0) return null
	return (
		<PlainTable caption={t.logEntries}>
			{data.map(({id, at, message, kind}) => (
				<tr key={id}>
					<td>
						<Time at={at} />
					</td>
					<td>
						<Link href={`/log?entry=${id}`}>{message === '' ? kind : message}</Link>
					</td>
				</tr>
			))}
		</PlainTable>
	)
}
