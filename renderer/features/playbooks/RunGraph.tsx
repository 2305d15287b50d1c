import {keepPreviousData, useQuery} from '@tanstack/react-query'
import {memo, useMemo, useState} from 'react'

import type {PlaybookProgress, PlaybookStepRun} from '#model/playbook.ts'
import type {WorkflowStep} from '#model/playbook-document.ts'
import {isRecord} from '#shared/is-record.ts'
import {formatDuration} from '#text/durations.ts'
import {stepStateWords} from '#text/states.ts'
import {useApi, useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Loaded} from '#ui/States.tsx'
import {Link} from '#ui/Button.tsx'
import {PlainTable, CodeView, tableRow} from '#ui/Facts.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {ScreenBody} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {SidePanel, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import styles from './playbooks.module.css'
import {stepTones, kindTitles, marksOf} from './steps.ts'
import {t} from './text.ts'
import {LazyGraph} from './LazyGraph.tsx'
import {useSteps} from './RunSteps.tsx'

/** The document as a chart, live while it runs, with the chosen step beside it. */
export function RunGraph({run}: {run: PlaybookProgress}) {
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
			{chosen !== null && step !== undefined && <StepPanel key={chosen} run={run} id={chosen} step={step} onClose={() => setChosen(null)} />}
		</ScreenBody>
	)
}

interface StepPanelProps {
	run: PlaybookProgress
	id: string
	step: WorkflowStep
	onClose: () => void
}

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
			{past.map(({attempt, state, message, begunAt}) => tableRow(attempt, attempt, state, begunAt !== null && <Time at={begunAt} />, message))}
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
