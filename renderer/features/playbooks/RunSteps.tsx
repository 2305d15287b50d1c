import {keepPreviousData} from '@tanstack/react-query'
import {useEffect, useState} from 'react'

import type {PlaybookProgress, PlaybookStepRun} from '#model/playbook.ts'
import {formatCount} from '#text/numbers.ts'
import {stepStateWords} from '#text/states.ts'
import {useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Button} from '#ui/Button.tsx'
import {PlainTable} from '#ui/Facts.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './playbooks.module.css'
import {stepTones} from './steps.ts'
import {t} from './text.ts'

export const everyMs = 1000

/** Newest first, and as many as were asked for; of one step of the document, or of all. */
export function useSteps({id, endedAt}: PlaybookProgress, pageSize: number, step?: string) {
	const [limit, setLimit] = useState(pageSize)
	const {data, error, isSuccess, refetch} = useAsked(q => q.playbooks.steps, {
		input: {run: id, offset: 0, limit, step, brief: step === undefined},
		staleTime: 0,
		refetchInterval: endedAt === null && everyMs,
		placeholderData: keepPreviousData
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
	return {rows, more, isEmpty: isSuccess && rows.length === 0, failure: <Failure error={error} act={[t.tryAgain, () => void refetch()]} />}
}

/** Limit of the procedure. */
const mostRows = 10_000

export function Steps({run}: {run: PlaybookProgress}) {
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
