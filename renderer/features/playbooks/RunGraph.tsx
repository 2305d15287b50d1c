import {useQuery} from '@tanstack/react-query'
import {useMemo, useState} from 'react'

import type {WorkflowStep} from '#shared/model/playbook-document.ts'
import type {PlaybookRunDetail, PlaybookStepRun} from '#shared/model/playbook.ts'
import {formatDuration} from '#shared/text/durations.ts'
import {useApi} from '../../api/ApiProvider.tsx'
import {CodeView} from '../../ui/CodeView.tsx'
import {Link} from '../../ui/Link.tsx'
import {PlainTable} from '../../ui/PlainTable.tsx'
import {ScreenBody} from '../../ui/Screen.tsx'
import {SidePanel, SidePanelHeader, SidePanelNote} from '../../ui/SidePanel.tsx'
import {Tag} from '../../ui/Tag.tsx'
import {Time} from '../../ui/Time.tsx'
import {LazyGraph} from './LazyGraph.tsx'
import styles from './playbooks.module.css'
import {kindTitles, marksOf, stateWords, stepOfRow, stepTones} from './steps.ts'
import {t} from './text.ts'

/** The document as a chart, live while it runs, with the chosen step beside it. */
export function RunGraph({run}: {readonly run: PlaybookRunDetail}) {
	const {queries} = useApi()
	const [chosen, setChosen] = useState<string | null>(null)
	const {data: document} = useQuery({...queries.playbooks.pinned.queryOptions({input: {run: run.id}}), staleTime: Infinity})
	const marks = useMemo(() => (document === undefined ? new Map() : marksOf(document, run.steps)), [document, run.steps])
	const step = chosen === null ? undefined : document?.workflow[chosen]
	return (
		<ScreenBody>
			{document === undefined ? null : <LazyGraph document={document} marks={marks} selected={chosen} onSelect={setChosen} />}
			{chosen === null || step === undefined ? null : (
				<StepPanel run={run} id={chosen} step={step} onClose={() => setChosen(null)} />
			)}
		</ScreenBody>
	)
}

interface StepPanelProps {
	readonly run: PlaybookRunDetail
	readonly id: string
	readonly step: WorkflowStep
	readonly onClose: () => void
}

/** All facts of one step of a run. */
function StepPanel({run, id, step, onClose}: StepPanelProps) {
	const rows = run.steps.filter(row => stepOfRow(row.id) === id && row.kind !== 'value')
	const name = step.name ?? kindTitles[step.type]
	return (
		<SidePanel label={t.stepNamed(name)} onClose={onClose}>
			<SidePanelHeader title={name} name={name}>
				<SidePanelNote>{kindTitles[step.commands?.[0]?.type === 'manual' ? 'manual' : step.type]}</SidePanelNote>
			</SidePanelHeader>
			{step.condition === undefined ? null : <code>{step.condition}</code>}
			{rows.length === 0 ? <p className={styles['dim']}>{t.stepHasNotBegun}</p> : null}
			{rows.map(row => (
				<Row key={row.id} run={run.id} row={row} />
			))}
		</SidePanel>
	)
}

function Row({run, row}: {readonly run: string; readonly row: PlaybookStepRun}) {
	const {state, attempt, begunAt, endedAt, input, output, error, past, due} = row
	return (
		<section className={styles['fields']} aria-label={row.id}>
			<div className={styles['row']}>
				<Tag tone={stepTones[state]}>{stateWords(row)}</Tag>
				{attempt > 1 ? <span className={styles['dim']}>{t.attemptOf(attempt)}</span> : null}
				<span className={styles['dim']}>
					{begunAt === null ? null : <Time at={begunAt} />}
					{begunAt === null || endedAt === null ? null : `, ${formatDuration(Date.parse(endedAt) - Date.parse(begunAt))}`}
				</span>
				{due === null ? null : (
					<span className={styles['dim']}>
						{t.until} <Time at={due} />
					</span>
				)}
			</div>
			{error === null ? null : <p className={styles['bad']}>{error.message}</p>}
			{past.length === 0 ? null : <Attempts past={past} />}
			<Part title={t.input} value={input} />
			<Part title={t.output} value={output} />
			<Entries run={run} step={row.id} state={state} />
		</section>
	)
}

function Part({title, value}: {readonly title: string; readonly value: unknown}) {
	if (value === null || value === undefined || value === '') return null
	return (
		<>
			<h3 className={styles['dim']}>{title}</h3>
			<CodeView label={title} value={parsed(value)} />
		</>
	)
}

/** Answers are stored as text. */
function parsed(value: unknown): unknown {
	if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
	try {
		return JSON.parse(value)
	} catch {
		return value
	}
}

function Attempts({past}: Pick<PlaybookStepRun, 'past'>) {
	return (
		<PlainTable>
			<caption className={styles['dim']}>{t.attemptsBefore}</caption>
			<tbody>
				{past.map(({attempt, state, message, begunAt}) => (
					<tr key={attempt}>
						<th scope="row">{attempt}</th>
						<td>{state}</td>
						<td>{begunAt === null ? null : <Time at={begunAt} />}</td>
						<td>{message}</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	)
}

function Entries({run, step, state}: {readonly run: string; readonly step: string; readonly state: string}) {
	const {queries} = useApi()
	// Its log entries change with its state.
	const {data} = useQuery({...queries.playbooks.entries.queryOptions({input: {run, step}}), meta: {state}})
	if (data === undefined || data.length === 0) return null
	return (
		<PlainTable>
			<caption className={styles['dim']}>{t.logEntries}</caption>
			<tbody>
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
			</tbody>
		</PlainTable>
	)
}
