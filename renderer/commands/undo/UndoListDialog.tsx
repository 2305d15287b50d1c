import {useQueryClient} from '@tanstack/react-query'
import {useRef, useState} from 'react'

import {hasCode} from '#contract/errors.ts'
import type {UndoItem, UndoPreview} from '#model/undo-list.ts'
import {asSentence} from '#shared/sentence.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnection, useConnected, useSettings, useAsked, useAskedHere, useCall, useWriteRefusal} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {Banner, EmptyState, ErrorState, SkeletonLines} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {connectionTitle} from '#ui/connection-words.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {KeyValue, fact} from '#ui/Facts.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {ChangeFrame, SendButton} from '../change/ChangeFrame.tsx'
import {Failure} from '../Failure.tsx'
import {LimitWait} from '../LimitWait.tsx'
import {ConfirmationField} from '../guard/TypedConfirmation.tsx'
import {DriftList} from '../jobs/DriftList.tsx'
import {JobProgress} from '../jobs/JobProgress.tsx'
import {useJob} from '../jobs/use-job.ts'
import {t} from '../text.ts'
import {WayOut} from '../WayOut.tsx'
import {actOf, confirmProblem, itemCount, reasonOf, refusalOf, standingOf} from './undo-words.ts'
import styles from './UndoList.module.css'

/** Changes of the last 24 hours that can be undone. Opening the dialog and choosing send nothing. */
export function UndoListDialog({onClose}: {onClose: () => void}) {
	const {items, error, retry} = useUndoItems()
	const [chosen, setChosen] = useState<string | null>(null)
	const [current, setCurrent] = useState<string | null>(null)
	if (chosen !== null) return <UndoPreviewDialog id={chosen} onBack={() => setChosen(null)} onClose={onClose} />
	return (
		<Dialog
			title={t.undoHistory}
			size="large"
			onClose={onClose}
			cancel={t.close}
			act={[t.showWhatWould, () => setChosen(current), current === null ? t.selectChange : null]}
		>
			<p className="quiet">{t.movesPolicy}</p>
			<div className={styles.table}>
				{error !== null && items === undefined ? (
					<ErrorState error={error} title={t.couldNotLoadUndo} onRetry={retry} />
				) : (
					<DataTable
						label={t.changesUndone}
						source={items}
						skeletons={4}
						columns={columns}
						rowKey={({id}) => id}
						describe={describe}
						onOpen={({id}) => setChosen(id)}
						onCursor={item => setCurrent(item?.id ?? null)}
						rowTone={({undoneAt}) => (undoneAt === null ? undefined : 'struck')}
						isBusy={items === undefined}
						empty={<EmptyState title={t.noChangesLast}>{t.movesPolicyChanges}</EmptyState>}
					/>
				)}
			</div>
		</Dialog>
	)
}

const columns: readonly TableColumn<UndoItem>[] = [
	{id: 'title', title: 'Change', width: 330, look: 'name', cell: ({title}) => title},
	{id: 'targets', title: 'Of', width: 110, yields: 2, cell: itemCount},
	{id: 'standing', title: 'Undo', width: 150, cell: item => <Standing item={item} />},
	{id: 'at', title: 'When', width: 84, cell: ({at}) => <Time at={at} />},
	{id: 'by', title: 'By', width: 90, yields: 1, look: 'dim', cell: ({by}) => by}
]

const standings = {possible: [t.canBeUndone, 'ok'], undone: [t.undone, 'plain'], impossible: [t.cannotBeUndone, 'warn']} as const

function Standing({item}: {item: UndoItem}) {
	const [word, tone] = standings[standingOf(item)]
	return (
		<span title={item.impossible ?? ''}>
			<Tag tone={tone}>{word}</Tag>
		</span>
	)
}

function describe(item: UndoItem) {
	const standing = standingOf(item)
	return `${item.title}, ${standings[standing][0]}${standing === 'impossible' ? `: ${item.impossible}` : ''}`
}

interface UndoButtonProps {
	id: string
	/** Its dialog was closed after that. */
	onUndone?: () => void
	small?: boolean
}

/** Undoes a change of the undo history; nothing for another one. */
export function UndoButton({id, onUndone, small = false}: UndoButtonProps) {
	const [isOpen, setOpen] = useState(false)
	const lock = useWriteRefusal()
	const reason = reasonOf(useUndoItems(), id)
	const close = (isUndone: boolean) => {
		setOpen(false)
		if (isUndone) onUndone?.()
	}
	if (reason === undefined) return null
	return (
		<>
			<Button small={small} lock={lock} reason={reason} onPress={() => setOpen(true)} opens>
				{t.undoMore}
			</Button>
			{isOpen && <UndoPreviewDialog key={id} id={id} onClose={close} />}
		</>
	)
}

/** Once it has ended: while it runs, nothing of it can be undone. */
export function UndoJobButton({id}: {id: string}) {
	return useJob(id).detail?.summary.endedAt == null ? null : <UndoButton id={`job:${id}`} />
}

interface UndoPreviewDialogProps {
	/** An entry of the incident log, or `job:` and a job's id. */
	id: string
	/** Back to the list, if there is one. */
	onBack?: () => void
	onClose: (isUndone: boolean) => void
}

/**
 * Undoes a change: loads the present state first, shows every call, and skips what someone changed since.
 * The focus is on *Cancel*, so that Enter sends nothing.
 */
export function UndoPreviewDialog({id, onBack, onClose}: UndoPreviewDialogProps) {
	const view = useUndo(id)
	const [typed, setTyped] = useState('')
	const [tried, setTried] = useState(false)
	const {preview, result} = view
	const problem = preview === undefined ? null : confirmProblem(preview.confirm, typed)
	const send = () => {
		setTried(true)
		if (preview !== undefined && problem === null) view.send(typed.trim())
	}
	return (
		<ChangeFrame
			title={result === null ? t.undoThisChange : t.changeUndone}
			onClose={() => onClose(result !== null)}
			size="large"
			role="alertdialog"
			cancelsFirst
			underWay={view.underWay}
			isDone={result !== null || hasCode(view.refused, 'approval_needed')}
			before={onBack !== undefined && !view.isSending && <Button onPress={onBack}>{t.backList}</Button>}
			confirm={<SendButton act={preview === undefined ? 'Undo change' : actOf(preview)} reason={obstacleOf(view)} onSend={send} />}
		>
			{result === null ? <Before view={view} typed={typed} onType={setTyped} problem={tried ? problem : null} /> : <After view={view} />}
		</ChangeFrame>
	)
}

interface BeforeProps {
	view: UndoView
	typed: string
	onType: (text: string) => void
	problem: string | null
}

function Before({view, typed, onType, problem}: BeforeProps) {
	const {preview, failed, refused, retry, price, isSending} = view
	if (failed !== null)
		return (
			<Banner tone="warning" act={[t.checkAgain, retry]}>
				{t.couldNotLoadCurrent} {asSentence(failed.message)}
			</Banner>
		)
	if (price !== null)
		return (
			<Banner tone="info" act={[t.loadStateFor(counted(price, nouns.call)), view.agree]}>
				{t.stateCosts(counted(price, nouns.call))}
			</Banner>
		)
	if (preview === undefined)
		return (
			<>
				<LimitWait />
				<SkeletonLines lines={5} label={t.loadingCurrentState} />
			</>
		)
	const refusal = refusalOf(preview)
	return (
		<>
			<Facts preview={preview} />
			{refusal !== null && <Banner tone="warning">{refusal}</Banner>}
			<Calls preview={preview} />
			{preview.drift.length !== 0 && (
				<>
					<Banner tone="warning">{t.changedSince(counted(preview.drift.length, nouns.target))}</Banner>
					<DriftList drift={preview.drift} />
				</>
			)}
			{preview.confirm !== null && <ConfirmationField label={t.typeToConfirmOf(preview.confirm)} {...{typed, onType, problem}} />}
			{isSending && <LimitWait />}
			{refused !== null && (
				<>
					<Failure error={refused} />
					<DriftList drift={refused.details.drift ?? []} />
				</>
			)}
		</>
	)
}

function Facts({preview: {item, cost}}: {preview: UndoPreview}) {
	const connection = useActiveConnection()
	return (
		<KeyValue
			facts={[
				fact('Done', item.title),
				fact(
					'When',
					<>
						<Time at={item.at} focusable /> {t.listUntil(item.by)} <Time at={item.until} form="exact" focusable />
					</>
				),
				fact('Connection', connectionTitle(connection)),
				fact('Cost', `at most ${counted(cost, nouns.call)}, readings included`)
			]}
		/>
	)
}

const mostCalls = 200

function Calls({preview: {calls}}: {preview: UndoPreview}) {
	if (calls.length === 0) return null
	return (
		<section aria-label={t.willBeSent}>
			<h3 className={styles.heading}>
				{t.willBeSentColon} {counted(calls.length, nouns.change)}
			</h3>
			<ol className={styles.calls} tabIndex={0} aria-label={t.changes}>
				{calls.slice(0, mostCalls).map(({id, command, effect}) => (
					<li key={id}>
						<span>{effect}</span>
						<code>!{command}</code>
					</li>
				))}
				{calls.length > mostCalls && <li>{t.moreKind(formatCount(calls.length - mostCalls))}</li>}
			</ol>
		</section>
	)
}

function After({view: {result}}: {view: UndoView}) {
	const [job] = result?.jobs ?? []
	const [entry] = result?.entries ?? []
	return (
		<>
			<p role="status">{asSentence(result?.message ?? '')}</p>
			{entry !== undefined && <WayOut href={`/log?entry=${entry}`}>{t.openIncident}</WayOut>}
			{job !== undefined && (
				<>
					<JobProgress id={job} />
					<WayOut href={`/jobs/${job}`}>{t.openTheJob}</WayOut>
				</>
			)}
		</>
	)
}

function obstacleOf({preview, failed, isSending, price}: UndoView) {
	if (price !== null) return 'Load the current state first.'
	if (failed !== null) return 'Could not load the present state.'
	if (preview === undefined) return 'Loading the current state…'
	return refusalOf(preview) ?? (isSending ? 'Rechecking, then sending…' : null)
}

function useUndoItems() {
	const {data, error, refetch} = useAskedHere(q => q.undo.list, {}, {staleTime: 0, gcTime: 0})
	return {items: data, error, retry: refetch}
}

type UndoView = ReturnType<typeof useUndo>

/** From this many calls on, loading is announced first. */
const many = 5

/** One change: the calls that would undo it, and whether it still stands. */
function useUndo(id: string) {
	const {queries, connection} = useConnected()
	const cache = useQueryClient()
	const {activeIncident: incident} = useSettings()
	const drop = useUi(ui => ui.dropHashChange)
	const [isAgreed, setAgreed] = useState(false)
	const {items, error: unlisted} = useUndoItems()
	const reads = items?.find(item => item.id === id)?.reads ?? 0
	/** Calls of loading the present state, for agreement first; `null` for none or a few. */
	const price = isAgreed || reads < many ? null : reads
	const {data, error, isFetching, refetch} = useAsked(q => q.undo.preview, {
		input: {connection, id},
		enabled: price === null && (items !== undefined || unlisted !== null),
		// Never act on a state from a minute ago.
		staleTime: 0,
		gcTime: 0
	})
	const sending = useRef<AbortController>(null)
	const {mutate, isPending, ...sent} = useCall(
		(client, confirm: string) => {
			const {signal} = (sending.current = new AbortController())
			return client.undo.apply({connection, id, confirm, surface: 'screen', incident}, {signal})
		},
		{onSuccess: () => drop(id), onSettled: () => void cache.invalidateQueries({queryKey: queries.undo.list.key()})}
	)
	return {
		/** `undefined` while the present state loads. */
		preview: isFetching ? undefined : data,
		price,
		agree: () => setAgreed(true),
		failed: error === null || isFetching ? null : error,
		retry: refetch,
		isSending: isPending,
		underWay: isPending ? {waits: null, stop: () => sending.current?.abort()} : null,
		result: sent.data ?? null,
		refused: sent.error,
		send: (confirm: string) => mutate(confirm)
	}
}
