import {keepPreviousData, useQuery} from '@tanstack/react-query'
import {useMemo, useState} from 'react'

import type {GroupChangePreview, GroupNode, NamedReference, PolicyRow} from '#shared/contract/directory.ts'
import type {CordonError} from '#shared/contract/errors.ts'
import {asSentence} from '#shared/sentence.ts'
import {requestedText, stepTitles} from '#shared/text/changes.ts'
import {counted, formatCount, formOf} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'
import {useActiveConnection, useActiveFrame, useWriteRefusal, useConnected} from '../../api/active.tsx'
import {asCordonError} from '../../api/errors.ts'
import {useOperator} from '../../api/hooks.ts'
import {acceptedLine} from '../../commands/accepted.ts'
import type {ChosenPolicies as Chosen} from '../../commands/directory/assignable.ts'
import {calls, productTitle} from '../../commands/directory/directory-words.ts'
import {PolicyChoices} from '../../commands/directory/PolicyChoices.tsx'
import {usePolicies} from '../../commands/directory/use-directory.ts'
import {buttonWords} from '../../commands/effect.ts'
import {ConfirmButton} from '../../commands/guard/ConfirmButton.tsx'
import {GuardNotes} from '../../commands/guard/GuardNotes.tsx'
import {ReasonField} from '../../commands/guard/ReasonFields.tsx'
import {TypedConfirmation} from '../../commands/guard/TypedConfirmation.tsx'
import {type AgreementFields, useAgreement} from '../../commands/guard/use-agreement.ts'
import {type JudgementView, useJudgement, waitsForRules} from '../../commands/guard/use-judgement.ts'
import {changed} from '../../commands/move/move-effect.ts'
import {Difference} from '../../commands/move/MoveChange.tsx'
import {RunNote} from '../../commands/RunNote.tsx'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {PlainTable} from '../../ui/PlainTable.tsx'
import {SkeletonLines} from '../../ui/Skeleton.tsx'
import {type StepLine, Steps} from '../../ui/Steps.tsx'
import {Time} from '../../ui/Time.tsx'
import {changedProducts, commandArgs, effectWords, holds, presentOf, readingsOf, whatIsMissing} from './assign-facts.ts'
import styles from './AssignDialog.module.css'
import {filterOf} from './group-facts.ts'
import {t} from './text.ts'
import {type AssignProgress, useAssign} from './use-assign.ts'

interface AssignDialogProps {
	readonly group: GroupNode
	/** The group and those below it. */
	readonly below: readonly GroupNode[]
	readonly onClose: () => void
}

/** Sets policies of one group: choose, compare before and after, give a reason, send one request, see its outcome. */
export function AssignDialog({group, below, onClose}: AssignDialogProps) {
	const connection = useActiveConnection()
	const writeRefusal = useWriteRefusal()
	const announce = useAnnounce()
	const {items: policies = []} = usePolicies()
	const known = useMemo(() => new Map(policies.map(policy => [policy.guid, policy])), [policies])
	const [chosen, setChosen] = useState<Chosen>({})
	const fields = useAgreement()
	const assign = useAssign()
	const isChosen = Object.keys(chosen).length > 0
	const isDone = assign.accepted !== null
	const judgement = useJudgement('svc_set_group_policy', commandArgs(group.guid, chosen), isChosen && !isDone)
	const judged = judgement.answer?.judgement
	const {preview, error, retry} = usePreview(group, chosen, isChosen && !isDone)
	// Afterwards nothing would change: the dialog keeps what was sent.
	const [sent, setSent] = useState<Sent | null>(null)
	const shown = sent?.preview ?? preview
	const act = effectWords(group, shown)
	const missing = whatIsMissing(isChosen, shown) ?? waitsForRules(judgement)
	const isUnderWay = assign.runner.state.kind === 'running' || (assign.isReading && !isDone)
	const send = async () => {
		const agreement = fields.submit(judged)
		if (shown === undefined || missing !== null || agreement === null) return
		setSent({preview: shown, group})
		const result = await assign.send({group, chosen, preview: shown, agreement})
		if (result === null) setSent(null)
		else announce(result.message)
	}
	return (
		<Dialog
			title={t.assignPoliciesTo(group.name)}
			onClose={onClose}
			size="large"
			tone="connection"
			footer={
				isDone ? (
					<Button tone="primary" onPress={onClose} autoFocus>
						{t.close}
					</Button>
				) : (
					<>
						<span className={styles.price}>{t.plus2Calls}</span>
						<Button onPress={onClose}>{t.cancel}</Button>
						<ConfirmButton
							judgement={judged}
							lock={writeRefusal}
							reason={isUnderWay ? t.requestInProgress : missing}
							onConfirm={() => void send()}
						>
							{buttonWords(act, connection)}
						</ConfirmButton>
					</>
				)
			}
		>
			<div className={styles.form}>
				{isDone ? null : (
					<>
						<PolicyChoices
							policies={policies}
							chosen={chosen}
							onChange={setChosen}
							present={product => presentOf(group, product)}
						/>
						{error === null ? null : <PreviewFailed error={error} onRetry={retry} />}
					</>
				)}
				{shown !== undefined ? (
					<AssignPreview preview={shown} isSent={isDone} group={sent?.group ?? group} below={below} policies={known} />
				) : error !== null ? null : isChosen ? (
					<SkeletonLines lines={3} label={t.calculatingWhat(calls(readingsOf(group, chosen, known)))} />
				) : (
					<p className={styles.note}>{t.choosePolicy}</p>
				)}
				{isDone ? null : <Agreeing fields={fields} judgement={judgement} isChosen={isChosen} />}
				{assign.refused === null ? null : <Banner tone="bad">{assign.refused}</Banner>}
				{isDone ? (
					<AssignSteps assign={assign} chosen={chosen} below={below} reason={fields.reason} />
				) : (
					<RunNote runner={assign.runner} />
				)}
			</div>
		</Dialog>
	)
}

/** Displayed values when sent: before and after stay unchanged. */
interface Sent {
	readonly preview: GroupChangePreview
	readonly group: GroupNode
}

/** The effect of a choice; never that of another one. */
function usePreview(group: GroupNode, chosen: Chosen, isAsked: boolean) {
	const {queries, connection} = useConnected()
	const {data, error, isPlaceholderData, refetch} = useQuery({
		...queries.directory.groups.preview.queryOptions({input: {connection, guid: group.guid, policies: {...chosen}}}),
		enabled: isAsked,
		placeholderData: keepPreviousData,
	})
	return {
		preview: isAsked && error === null && !isPlaceholderData ? data : undefined,
		error: error === null ? null : asCordonError(error),
		retry: () => void refetch(),
	}
}

function PreviewFailed({error, onRetry}: {error: CordonError; onRetry: () => void}) {
	return (
		<Banner
			tone="bad"
			action={
				<Button size="small" onPress={onRetry}>
					{t.tryAgain}
				</Button>
			}
		>
			{t.couldNotCalculate} {asSentence(error.message)}
		</Banner>
	)
}

interface AgreeingProps {
	readonly fields: AgreementFields
	readonly judgement: JudgementView
	readonly isChosen: boolean
}

/** Reason, guard rules, and typed confirmation. */
function Agreeing({fields, judgement, isChosen}: AgreeingProps) {
	return (
		<>
			<ReasonField fields={fields} description={t.keptIncident} />
			{isChosen ? <GuardNotes view={judgement} /> : null}
			<TypedConfirmation view={judgement} fields={fields} />
		</>
	)
}

interface AssignPreviewProps {
	readonly preview: GroupChangePreview
	readonly isSent: boolean
	readonly group: GroupNode
	/** The group and those below it. */
	readonly below: readonly GroupNode[]
	readonly policies: ReadonlyMap<string, PolicyRow>
}

/** Before and after, product by product. */
function AssignPreview({preview, isSent, group, below, policies}: AssignPreviewProps) {
	const rows = changedProducts(preview)
	const change = isSent ? 'change' : 'would change'
	if (rows.length === 0) return <p className={styles.note}>{t.groupAlready}</p>
	return (
		<section aria-label={t.beforeAndAfter} className={styles.preview}>
			<p>
				<b>{counted(preview.computers, nouns.computer)}</b>{' '}
				{below.length === 1 ? t.nextPolicy(group.name, change) : t.whatInherits(group.name, change)}
			</p>
			<div className={styles.scroll} tabIndex={0} role="group" aria-label={t.whatWouldChange}>
				<PlainTable className={styles.table}>
					<thead>
						<tr>
							{['Product', 'Before', 'After', 'Computers', 'File lists', 'Exclusions'].map(title => (
								<th key={title} scope="col">
									{title}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map(row => (
							<tr key={row.product}>
								<th scope="row">{productTitle(row.product)}</th>
								<td>
									{row.before?.name ?? t.none}
									<Origin group={group} product={row.product} />
								</td>
								<td>
									<b>{row.after?.name ?? t.none}</b> {t.ownTitle}
								</td>
								<td>{formatCount(row.computers)}</td>
								<td>
									<Difference change={{gained: row.listsGained, lost: row.listsLost}} />
								</td>
								<td>
									<Difference change={exclusions(row.before, row.after, policies)} />
								</td>
							</tr>
						))}
					</tbody>
				</PlainTable>
			</div>
			<p className={styles.note}>{t.apiDoesNot}</p>
		</section>
	)
}

function Origin({group, product}: {group: GroupNode; product: string}) {
	const use = group.policies?.find(each => each.product === product)
	return use === undefined ? null : <> · {use.inherited ? t.inherited : t.ownInline}</>
}

function exclusions(before: NamedReference | null, after: NamedReference | null, policies: ReadonlyMap<string, PolicyRow>) {
	const [had, has] = [before, after].map(reference => policies.get(reference?.guid ?? ''))
	if (had?.fileLists == null || has?.fileLists == null) return null
	return changed(had.exclusionSets ?? [], has.exclusionSets ?? [])
}

interface AssignStepsProps {
	readonly assign: AssignProgress
	readonly chosen: Chosen
	readonly below: readonly GroupNode[]
	readonly reason: string
}

/** Requested, accepted, confirmed; computers follow individually, and are counted by the local copy. */
function AssignSteps({assign, chosen, below, reason}: AssignStepsProps) {
	const {accepted, requestedAt, isReading} = assign
	const operator = useOperator()
	if (accepted === null) return null
	return (
		<>
			<Steps
				lines={[
					{title: stepTitles.requested, state: 'done', at: requestedAt, text: requestedText(operator, reason.trim())},
					acceptedLine(accepted.result, accepted.at),
					observation(assign, chosen),
				]}
			/>
			<Followers chosen={chosen} below={below} />
			<span>
				<Button size="small" onPress={assign.look} reason={isReading ? t.loadingNow : null}>
					{t.checkAgain1}
				</Button>
			</span>
		</>
	)
}

function observation({observed}: AssignProgress, chosen: Chosen): StepLine {
	const line = {title: stepTitles.confirmed, at: observed?.at ?? null} as const
	if (observed === null) return {...line, state: 'waiting', text: 'refreshing the group'}
	if (observed.group === null)
		return {...line, state: 'failed', text: observed.problem ?? 'The service has no such group any more.'}
	if (holds(observed.group, chosen)) return {...line, state: 'done', text: 'the group has these policies'}
	return {...line, state: 'failed', text: 'the group has other policies: someone may have changed them again'}
}

/** Number of computers that have applied it, by the local copy. */
function Followers({chosen, below}: Pick<AssignStepsProps, 'chosen' | 'below'>) {
	const {queries, connection} = useConnected()
	const inventory = useActiveFrame()?.inventory
	const groups = filterOf(below)
	const filter = `${groups ?? ''} policy:${Object.values(chosen).join(',')}`
	const {data} = useQuery({
		...queries.computers.query.queryOptions({
			input: {connection, filter, sort: {column: 'hostname', descending: false}, offset: 0, limit: 1},
		}),
		enabled: groups !== null,
	})
	if (data === undefined) return null
	return (
		<p className={styles.note}>
			{t.reportedNew(
				counted(data.matching, ['computer has', 'computers have']),
				formOf(Object.keys(chosen).length, nouns.policy),
			)}
			{inventory?.completeAt == null ? null : (
				<>
					{' '}
					(<Time at={inventory.completeAt} form="age" focusable /> {t.oldInBrackets}
				</>
			)}
			{t.eachApplies}
		</p>
	)
}
