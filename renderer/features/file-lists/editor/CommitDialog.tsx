import {useMemo, useState} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import type {JobPlan} from '#model/job.ts'
import type {DraftState} from '#model/list-draft.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveFrame, useConnected, useWriteRefusal} from '#api/hooks.tsx'
import {ChangeFrame} from '#commands/change/ChangeFrame.tsx'
import {Failure} from '#commands/Failure.tsx'
import {PlanStep, SendPlan} from '#commands/jobs/PlanStep.tsx'
import {usePlanFlow} from '#commands/jobs/use-plan-flow.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {TextArea} from '#ui/Field.tsx'
import {effectNote} from '../checks.ts'
import {kindWords} from '../words.ts'
import {commitBlock} from './commit-block.ts'
import {commitCalls, signedCounts} from './draft-words.ts'
import {t} from './text.ts'

interface CommitDialogProps {
	list: FileListRow
	state: DraftState
	listCalls: number | null
	/** Only rows left by this job. */
	retryOf: string | undefined
	onStarted: (job: string) => void
	onClose: () => void
}

/** Reason, then a plan for review, then the confirmation of its tier. Enter sends nothing. */
export function CommitDialog({list, state, listCalls, retryOf, onStarted, onClose}: CommitDialogProps) {
	const {client, connection} = useConnected()
	const lock = useWriteRefusal()
	const announce = useAnnounce()
	const [reason, setReason] = useState('')
	const block = commitBlock({list, state, frame: useActiveFrame()})
	const flow = usePlanFlow()
	const {phase, plan, failed, make} = flow
	const isPlanned = phase !== 'none'
	const act = `Commit ${counted(plan === null ? state.ready : plan.targets.length, nouns.change)} to ${list.name}`
	const planIt = async (signal: AbortSignal) => {
		const made = await client.editor.plan({connection, list: list.guid, reason: reason.trim(), ...omitUndefined({retryOf})}, {signal})
		announce(`${formatCount(made.targets.length)} of ${formatCount(made.targets.length + made.leftOut.length)} planned`)
		return made
	}
	const started = (job: string) => {
		announce(`${act}: started`)
		onStarted(job)
	}
	return (
		<ChangeFrame
			title={retryOf === undefined ? t.commitTo(list.name) : t.retryWhatFailed(list.name)}
			onClose={onClose}
			size="large"
			cancelsFirst={isPlanned}
			confirm={
				isPlanned ? (
					<SendPlan {...{flow, act}} onStarted={started} />
				) : (
					<Button tone="primary" onPress={() => void make(planIt)} lock={lock} reason={block ?? (reason.trim() === '' ? noReason : null)}>
						{t.checkAndPlan}
					</Button>
				)
			}
		>
			{isPlanned ? (
				<>
					{plan !== null && phase !== 'planning' && <Effect plan={plan} list={list} />}
					<PlanStep flow={flow} typesFirst />
				</>
			) : (
				<>
					<p>
						<b>{signedCounts(state.adds, state.removes) || t.nothing}</b> {t.stagedReadyRows(formatCount(state.ready))}
					</p>
					<TextArea
						label={t.reason}
						value={reason}
						onChange={setReason}
						isRequired
						autoFocus
						rows={2}
						maxLength={500}
						description={t.keptIncident}
					/>
					<p className="quiet">{t.planningLoads(formatCount(commitCalls(state.ready, listCalls)))}</p>
					<Failure error={failed} />
				</>
			)}
		</ChangeFrame>
	)
}

const noReason = 'Give a reason first.'

function Effect({plan: {targets, action}, list}: {plan: JobPlan; list: FileListRow}) {
	const removes = useMemo(() => {
		const gone = new Set(action.kind === 'change_hashes' ? action.removes : [])
		return targets.filter(({id}) => gone.has(id)).length
	}, [action, targets])
	const effect = effectNote(list)
	return (
		<>
			<p>
				<b>{signedCounts(targets.length - removes, removes) || t.nothing}</b> {t.sentOneCall(kindWords(list.type).effect)}
			</p>
			{effect.level === 'amber' ? <Banner tone="warning">{effect.message}</Banner> : <p>{effect.message}</p>}
		</>
	)
}
