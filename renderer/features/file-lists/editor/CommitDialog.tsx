import {useEffect, useMemo, useRef, useState} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import type {JobPlan} from '#model/job.ts'
import type {DraftState} from '#model/list-draft.ts'
import {needsTyping, typedProblem} from '#model/typed.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {formatDuration} from '#text/durations.ts'

import {useActiveConnection, useActiveFrame, useWriteRefusal, useApi, useSettings} from '#api/hooks.tsx'
import {ChangeFrame, SendButton} from '#commands/change/ChangeFrame.tsx'
import {Failure} from '#commands/Failure.tsx'
import {beginJob} from '#commands/jobs/use-plan-flow.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {effectNote} from '../checks.ts'
import {kindWords} from '../words.ts'
import {commitBlock} from './commit-block.ts'
import {commitCalls, signedCounts} from './draft-words.ts'
import styles from './Editor.module.css'
import {t} from './text.ts'
import {useAct} from './use-draft.ts'

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
export function CommitDialog(props: CommitDialogProps) {
	const it = useCommitDialog(props)
	const {list, state, retryOf, listCalls, onClose, lock, reason, setReason, typed, setTyped, plan} = it
	const {planning, applying, isStale, block, act} = it
	return (
		<ChangeFrame
			title={retryOf === undefined ? t.commitTo(list.name) : t.retryWhatFailed(list.name)}
			onClose={onClose}
			size="large"
			confirm={
				plan === null || isStale ? (
					<Button
						tone="primary"
						onPress={planning.run}
						lock={lock}
						reason={block ?? (planning.isRunning ? t.loadingTheList : reason.trim() === '' ? noReason : null)}
					>
						{isStale ? t.createNewPlan : t.checkAndPlan}
					</Button>
				) : (
					<SendButton act={act} reason={waitsFor(plan, typed, applying.isRunning)} onSend={applying.run} />
				)
			}
		>
			{plan === null ? (
				<>
					<p>
						<Signed adds={state.adds} removes={state.removes} /> {t.stagedReadyRows(formatCount(state.ready))}
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
				</>
			) : (
				<Planned plan={plan} list={list} typed={typed} onTyped={setTyped} />
			)}
			<Failure error={planning.error} />
			<Failure error={applying.error} />
		</ChangeFrame>
	)
}

function useCommitDialog(props: CommitDialogProps) {
	const {list, state, retryOf, onStarted} = props
	const {client} = useApi()
	const connection = useActiveConnection()
	const lock = useWriteRefusal()
	const frame = useActiveFrame()
	const announce = useAnnounce()
	const {activeIncident: incident} = useSettings()
	const [reason, setReason] = useState('')
	const [typed, setTyped] = useState('')
	const [plan, setPlan] = useState<JobPlan | null>(null)
	const draft = {connection: connection.id, list: list.guid}
	const planning = useAct(
		() => client.editor.plan({...draft, reason: reason.trim(), ...(retryOf !== undefined && {retryOf})}),
		made => {
			setPlan(made)
			setTyped('')
			applying.reset()
			announce(`${formatCount(made.targets.length)} of ${formatCount(made.targets.length + made.leftOut.length)} planned`)
		}
	)
	const stop = useRef<AbortController>(null)
	// Closing the dialog ends what is read before the job starts.
	useEffect(() => () => stop.current?.abort(), [])
	const applying = useAct(
		() => {
			const {signal} = (stop.current = new AbortController())
			return beginJob(client, plan?.id ?? '', {confirm: typed.trim(), incident}, signal)
		},
		id => {
			announce(`${act}: started`)
			onStarted(id)
		}
	)
	const block = commitBlock({list, state, frame})
	const changes = plan === null ? state.ready : plan.targets.length
	const act = `Commit ${counted(changes, nouns.change)} to ${list.name}`
	return {
		...props,
		...{lock, reason, setReason, typed, setTyped, plan},
		...{planning, applying, isStale: applying.error?.code === 'plan_drifted', block, act}
	}
}

const noReason = 'Give a reason first.'

function Signed({adds, removes}: {adds: number; removes: number}) {
	return <b>{signedCounts(adds, removes) || t.nothing}</b>
}

function waitsFor(plan: JobPlan, typed: string, isRunning: boolean) {
	if (isRunning) return 'Rechecking the list before starting…'
	if (plan.targets.length === 0) return 'Nothing is left to send.'
	return typedProblem(plan.confirmation, typed)
}

interface PlannedProps {
	plan: JobPlan
	list: FileListRow
	typed: string
	onTyped: (text: string) => void
}

function Planned({plan, list, typed, onTyped}: PlannedProps) {
	const {targets, leftOut, cost, because, tier, action, confirmation} = plan
	const removes = useMemo(() => {
		const gone = new Set(action.kind === 'change_hashes' ? action.removes : [])
		return targets.filter(({id}) => gone.has(id)).length
	}, [action, targets])
	const effect = effectNote(list)
	return (
		<>
			<p>
				<Signed adds={targets.length - removes} removes={removes} /> {t.sentOneCall(kindWords(list.type).effect)}
			</p>
			{effect.level === 'amber' ? <Banner tone="warning">{effect.message}</Banner> : <p>{effect.message}</p>}
			{tier >= 3 && <Banner tone="warning">{because.join(' ')}</Banner>}
			{leftOut.length !== 0 && (
				<section aria-label={t.skipped}>
					<p>{t.skippedColon(formatCount(leftOut.length))}</p>
					<ul className={styles.detail}>
						{leftOut.slice(0, 100).map(({id, message}) => (
							<li key={id}>
								<code className="hashes wraps">{id}</code> {message}
							</li>
						))}
					</ul>
				</section>
			)}
			<p className="quiet">
				{t.costCallsMost(
					formatCount(cost.calls),
					formatCount(cost.writes),
					formatCount(cost.reads),
					formatDuration(1000 * cost.seconds),
					cost.leaves === null ? '' : t.leftOtherWork(formatCount(cost.leaves)),
					plan.waves.map(size => formatCount(size)).join(', ')
				)}
			</p>
			{needsTyping(confirmation) && (
				<TextField
					label={confirmation.kind === 'count' ? t.typeNumber : t.typeBeginning}
					value={typed}
					onChange={onTyped}
					isRequired
					mono
					autoFocus
					autoComplete="off"
					description={t.typeConfirm(confirmation.expected)}
				/>
			)}
		</>
	)
}
