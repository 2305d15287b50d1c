import {keepPreviousData} from '@tanstack/react-query'
import {useMemo, useState} from 'react'

import type {GroupChangePreview, GroupNode, NamedReference, PolicyRow} from '#contract/directory.ts'
import type {CordonError} from '#contract/errors.ts'
import {changeOf} from '#shared/reference-change.ts'
import {asSentence} from '#shared/sentence.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveFrame, useConnected, useAskedHere} from '#api/hooks.tsx'
import {ChangeDialog} from '#commands/change/ChangeDialog.tsx'
import {ChangeReceipt} from '#commands/change/ChangeReceipt.tsx'
import {useChange} from '#commands/change/use-change.ts'
import {isRequested} from '#commands/RunNote.tsx'
import type {ChosenPolicies as Chosen} from '#commands/directory/assignable.ts'
import {calls, productTitle} from '#commands/directory/directory-words.ts'
import {NoChoices} from '#commands/directory/NoChoices.tsx'
import {PolicyChoices} from '#commands/directory/PolicyChoices.tsx'
import {usePolicies} from '#commands/directory/use-directory.ts'
import {Difference} from '#commands/move/MoveChange.tsx'
import {UndoButton} from '#commands/undo/UndoListDialog.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, SkeletonLines} from '#ui/States.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Time} from '#ui/Time.tsx'
import {changedProducts, commandArgs, driftOf, effectWords, holds, presentOf, readingsOf, whatIsMissing} from './assign-facts.ts'
import styles from './AssignDialog.module.css'
import {filterOf} from './group-facts.ts'
import {t} from './text.ts'

interface AssignDialogProps {
	group: GroupNode
	/** The group and those below it. */
	below: readonly GroupNode[]
	onClose: () => void
}

/** Sets policies of one group: choose, compare before and after, give a reason, send one request, see its outcome. */
export function AssignDialog({group, below, onClose}: AssignDialogProps) {
	const announce = useAnnounce()
	const {client, connection} = useConnected()
	const copy = usePolicies()
	const {items: policies = []} = copy
	const known = useMemo(() => new Map(policies.map(policy => [policy.guid, policy])), [policies])
	const [chosen, setChosen] = useState<Chosen>({})
	// Afterwards nothing would change: the dialog keeps what was sent.
	const [sent, setSent] = useState<Sent | null>(null)
	const isChosen = Object.keys(chosen).length > 0
	const {preview, error, retry} = usePreview(group, chosen, isChosen && sent === null)
	const shown = sent?.preview ?? preview
	const change = useChange({
		name: 'svc_set_group_policy',
		args: commandArgs(group.guid, chosen),
		isChosen,
		read: () => client.directory.groups.refreshOne({connection, guid: group.guid}),
		check: now => (shown === undefined ? null : changedSince(shown, now))
	})
	const isDone = change.accepted !== null
	const waits = whatIsMissing(isChosen, shown)
	const send = async () => {
		if (shown === undefined || waits !== null) return
		setSent({preview: shown, group})
		const result = await change.send()
		if (result === null) setSent(null)
		else announce(result.message)
	}
	return (
		<ChangeDialog
			title={t.assignPoliciesTo(group.name)}
			act={effectWords(group, shown)}
			size="large"
			change={change}
			waits={waits}
			reasonNote={t.keptIncident}
			price={<span className={styles.price}>{t.plus2Calls}</span>}
			onClose={onClose}
			onConfirm={() => void send()}
			after={change.accepted !== null && <UndoButton id={change.accepted.result.entry} onUndone={onClose} />}
			receipt={
				<ChangeReceipt
					change={change}
					what="group"
					confirmed={now =>
						holds(now, chosen)
							? {isSo: true, text: 'the group has these policies'}
							: {isSo: false, text: 'the group has other policies: someone may have changed them again'}
					}
				>
					<Followers chosen={chosen} below={below} />
				</ChangeReceipt>
			}
		>
			{!isDone && !isRequested(change.runner) && (
				<>
					<PolicyChoices {...{policies, chosen}} onChange={setChosen} present={product => presentOf(group, product)} autoFocus />
					<NoChoices copy={copy} many="policies" isNone={policies.length === 0} />
					{error !== null && <PreviewFailed error={error} onRetry={retry} />}
				</>
			)}
			{shown !== undefined ? (
				<AssignPreview preview={shown} isSent={isDone} group={sent?.group ?? group} below={below} policies={known} />
			) : error !== null ? null : isChosen ? (
				<SkeletonLines lines={3} label={t.calculatingWhat(calls(readingsOf(group, chosen, known)))} />
			) : (
				<p className={styles.note}>{t.choosePolicy}</p>
			)}
		</ChangeDialog>
	)
}

/** Why what was shown is not sent: the group is gone, or someone has changed it. */
function changedSince(preview: GroupChangePreview, {seen, problem}: {seen: GroupNode | null; problem: string | null}) {
	if (problem !== null) return `Could not load the group. Nothing was sent: ${problem}`
	if (seen === null || seen.vanishedAt !== null) return 'The group is gone. Nothing was sent.'
	const drift = driftOf(preview, seen)
	return drift === null ? null : `${drift} Nothing was sent: look at before and after again.`
}

/** Displayed values when sent: before and after stay unchanged. */
interface Sent {
	preview: GroupChangePreview
	group: GroupNode
}

/** The effect of a choice; never that of another one. */
function usePreview(group: GroupNode, chosen: Chosen, isAsked: boolean) {
	const {data, error, isPlaceholderData, refetch} = useAskedHere(
		q => q.directory.groups.preview,
		{guid: group.guid, policies: {...chosen}},
		{enabled: isAsked, placeholderData: keepPreviousData}
	)
	return {preview: isAsked && error === null && !isPlaceholderData ? data : undefined, error, retry: refetch}
}

function PreviewFailed({error, onRetry}: {error: CordonError; onRetry: () => void}) {
	return (
		<Banner tone="bad" act={[t.tryAgain, onRetry]}>
			{t.couldNotCalculate} {asSentence(error.message)}
		</Banner>
	)
}

interface AssignPreviewProps {
	preview: GroupChangePreview
	isSent: boolean
	group: GroupNode
	/** The group and those below it. */
	below: readonly GroupNode[]
	policies: ReadonlyMap<string, PolicyRow>
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
				<PlainTable className={styles.table} columns={['Product', 'Before', 'After', 'Computers', 'File lists', 'Exclusions']}>
					{rows.map(row =>
						tableRow(
							row.product,
							productTitle(row.product),
							<>
								{row.before?.name ?? t.none}
								<Origin group={group} product={row.product} />
							</>,
							<>
								<b>{row.after?.name ?? t.none}</b> {t.ownTitle}
							</>,
							formatCount(row.computers),
							<Difference change={{gained: row.listsGained, lost: row.listsLost}} />,
							<Difference change={exclusions(row.before, row.after, policies)} />
						)
					)}
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
	return changeOf(had.exclusionSets ?? [], has.exclusionSets ?? [])
}

/** Number of computers that have applied it, by the local copy. */
function Followers({chosen, below}: {chosen: Chosen; below: readonly GroupNode[]}) {
	const inventory = useActiveFrame()?.inventory
	const groups = filterOf(below)
	const filter = `${groups ?? ''} policy:${Object.values(chosen).join(',')}`
	const {data} = useAskedHere(
		q => q.computers.query,
		{filter, sort: {column: 'hostname', descending: false}, offset: 0, limit: 1},
		{enabled: groups !== null}
	)
	if (data === undefined) return null
	return (
		<p className={styles.note}>
			{t.reportedNew(counted(data.matching, ['computer has', 'computers have']), formOf(Object.keys(chosen).length, nouns.policy))}
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
