import type {JobAction} from '#model/job.ts'
import {actWords} from '#text/acts.ts'
import {useCall} from '#api/hooks.tsx'
import {useEffect, useRef, useState} from 'react'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button} from '#ui/Button.tsx'
import {saveText} from '#ui/save.ts'
import {SkeletonLines} from '#ui/States.tsx'
import {useLongAge} from '#ui/Time.tsx'
import {SendButton} from '../change/ChangeFrame.tsx'
import {LimitWait} from '../LimitWait.tsx'
import {UndoJobButton} from '../undo/UndoListDialog.tsx'
import {WayOut} from '../WayOut.tsx'
import {TypedConfirmation} from '../guard/TypedConfirmation.tsx'
import {PlanFailure} from './DriftList.tsx'
import {JobProgress} from './JobProgress.tsx'
import styles from './jobs.module.css'
import {PlanReview} from './PlanReview.tsx'
import {t} from './text.ts'
import type {PlanFlow} from './use-plan-flow.ts'

interface PlanStepProps {
	flow: PlanFlow
	/** The focus goes to the typed confirmation, if one is asked for. */
	typesFirst?: boolean
}

/** The middle of a dialog from the plan on: loading, review, confirmation, outcome. */
export function PlanStep({flow, typesFirst = false}: PlanStepProps) {
	const {phase, plan, job, failed, drift, again} = flow
	if (job !== null) return <Started job={job} />
	if (phase === 'planning') return <Planning />
	return (
		<div className={styles.part}>
			{failed !== null && <PlanFailure error={failed} drift={drift} onAgain={again} />}
			{plan !== null && (
				<>
					<PlanReview plan={plan} />
					<Confirmation {...{flow, typesFirst}} />
					{phase === 'applying' && <LimitWait />}
				</>
			)}
		</div>
	)
}

/** With many targets this takes seconds, so it counts them. */
function Planning() {
	const [since] = useState(() => Date.now())
	const age = useLongAge(since)
	return (
		<>
			<p>
				<span role="status">{t.checkingTargetsNothing}</span>
				{age !== null && <span aria-hidden> {age}</span>}
			</p>
			<LimitWait />
			<SkeletonLines lines={6} label={t.loadingTheStates} />
		</>
	)
}

/** The focused button is gone: without new focus, neither Escape nor a screen reader would find the dialog. */
function Started({job}: {job: string}) {
	const box = useRef<HTMLDivElement>(null)
	useEffect(() => box.current?.focus(), [])
	return (
		<div ref={box} tabIndex={-1} role="group" aria-label={t.outcome}>
			<JobProgress id={job} />
		</div>
	)
}

function Confirmation({flow: {plan, typed, type, problem}, typesFirst: autoFocus}: Required<PlanStepProps>) {
	if (plan === null || plan.targets.length === 0) return null
	return <TypedConfirmation confirmation={plan.confirmation} ofHash={isOfHashes(plan.action)} {...{typed, problem, autoFocus}} onType={type} />
}

function isOfHashes({kind}: JobAction) {
	return kind.includes('hashes')
}

interface SendPlanProps {
	flow: PlanFlow
	/** What it does; default: by the action and its targets. */
	act?: string
	onStarted?: (job: string) => void
}

/** The button that names the effect; it never has the focus at first. */
export function SendPlan({flow, act, onStarted}: SendPlanProps) {
	const {plan, phase} = flow
	// The last button acts on Ctrl+Enter: without this one, that is *Cancel*.
	if (phase === 'planning')
		return (
			<Button tone="primary" reason={t.checkingTargetsNothing}>
				{t.createPlan}
			</Button>
		)
	if (plan === null || phase === 'applied') return null
	const {action, targets} = plan
	const [only] = targets
	const usual =
		targets.length === 1 && only !== undefined && !isOfHashes(action) && action.kind !== 'policies'
			? actWords(action.kind, 1).replace('1 computer', only.label)
			: actWords(action.kind, targets.length)
	const send = async () => {
		const job = await flow.apply()
		if (job !== null) onStarted?.(job)
	}
	return <SendButton act={act ?? usual} judgement={plan} reason={whyNot(flow)} onSend={() => void send()} />
}

export function JobLink({flow: {job}}: {flow: PlanFlow}) {
	if (job === null) return null
	return (
		<>
			<WayOut href={`/jobs/${job}`}>{t.openTheJob}</WayOut>
			<UndoJobButton id={job} />
		</>
	)
}

function whyNot({phase, plan, drift}: PlanFlow) {
	if (plan === null || plan.targets.length === 0) return 'There is no target left.'
	if (phase === 'applying') return 'Rechecking targets…'
	return drift.length > 0 ? 'The targets have changed: make a new plan.' : null
}

export function SavePlan({flow: {plan, phase}}: {flow: PlanFlow}) {
	const announce = useAnnounce()
	const {mutate, isPending} = useCall(client => client.jobs.savePlan({id: plan?.id ?? ''}), {
		onSuccess: file => {
			saveText(file)
			announce(`Saving ${file.name}`)
		},
		onError: error => announce(error.message)
	})
	if (plan === null || phase === 'planning' || phase === 'applied') return null
	const reason = plan.targets.length === 0 ? t.addLeastOne : isPending ? t.saving : null
	return (
		<Button onPress={() => mutate()} reason={reason} tooltip={t.savesFileReview}>
			{t.savePlan}
		</Button>
	)
}
