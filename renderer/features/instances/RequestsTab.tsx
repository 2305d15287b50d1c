import {Pause, Play} from 'lucide-react'
import {useEffect, useMemo, useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {ForwarderStatus, InstanceRow, RequestEntry} from '#contract/instances.ts'
import {formatMeasured} from '#text/durations.ts'
import {formatBytes, formatCount} from '#text/numbers.ts'
import {useApi, useWireState} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {Banner, EmptyState, ErrorState} from '#ui/States.tsx'
import {Button, CopyButton} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {TextField} from '#ui/Field.tsx'
import {Tag} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Select, optionsOf} from '#ui/Select.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import {Address} from './Address.tsx'
import {PhaseBar, PhaseNumbers} from './PhaseBar.tsx'
import {
	emptyLog,
	fits,
	isCut,
	isFailure,
	keyOf,
	mostRequests,
	paused,
	type RequestLog,
	type StatusFilter,
	statusFilters,
	taken,
	totalMs
} from './request-log.ts'
import styles from './RequestsTab.module.css'
import {t} from './text.ts'
import {endWords, routeUrl, sourceWords} from './words.ts'

const statusWords: Readonly<Record<StatusFilter, string>> = {
	all: 'All statuses',
	'2xx': '2xx',
	'3xx': '3xx',
	'4xx': '4xx',
	'5xx': '5xx',
	failed: 'Failed or cut short'
}

/** The finished requests of an instance, newest first, live. */
export function RequestsTab({row, server}: {row: InstanceRow; server: ForwarderStatus}) {
	const requests = useRequests(row.instance.id)
	const [text, setText] = useState('')
	const [status, setStatus] = useState<StatusFilter>('all')
	const [picked, setPicked] = useState<string | null>(null)
	const matching = useMemo(() => requests.shown.filter(entry => fits(entry, text, status)), [requests.shown, text, status])
	const showAll = () => {
		setText('')
		setStatus('all')
	}
	return (
		<div className={styles.tab}>
			<Bar requests={requests} text={text} onText={setText} status={status} onStatus={setStatus} />
			{requests.error !== null && requests.shown.length !== 0 && (
				<Banner tone="warning" act={[t.followAgain, requests.retry]}>
					{t.noNewRequests} {requests.error.message}
				</Banner>
			)}
			<div className={styles.table}>
				<DataTable
					label={t.requests}
					source={requests.isLoading ? undefined : matching}
					columns={requestColumns}
					rowKey={keyOf}
					list={`${status} ${text}`}
					describe={describeRequest}
					onCursor={entry => entry && setPicked(keyOf(entry))}
					isBusy={requests.isLoading}
					empty={
						requests.error !== null && requests.shown.length === 0 ? (
							<ErrorState error={requests.error} title={t.couldNotLoadRequests} onRetry={requests.retry} />
						) : requests.shown.length > 0 ? (
							<EmptyState title={t.noMatchingRequests} act={[t.showAllThem, showAll]}>
								{t.noneStored(formatCount(requests.shown.length))}
							</EmptyState>
						) : (
							<NoRequests row={row} server={server} />
						)
					}
				/>
			</div>
			<RequestDetail entry={requests.shown.find(entry => keyOf(entry) === picked)} />
		</div>
	)
}

interface BarProps {
	requests: Requests
	text: string
	onText: (text: string) => void
	status: StatusFilter
	onStatus: (status: StatusFilter) => void
}

function Bar({requests, text, onText, status, onStatus}: BarProps) {
	const box = useRef<HTMLInputElement>(null)
	useKeys({'instance.filter': () => box.current?.focus(), 'instance.pause': () => requests.setPaused(!requests.isPaused)})
	return (
		<div className={styles.bar}>
			<TextField
				label={t.filterTheRequests}
				hideLabel
				type="search"
				value={text}
				onChange={onText}
				placeholder={t.filterPath}
				inputRef={box}
				className={styles.grow}
			/>
			<Select
				label={t.status}
				hideLabel
				value={status}
				onChange={onStatus}
				options={optionsOf(statusFilters, statusWords)}
				className={styles.status}
			/>
			<Button onPress={() => requests.setPaused(!requests.isPaused)} className={styles.pause} keys="p">
				{requests.isPaused ? <Play size={13} aria-hidden /> : <Pause size={13} aria-hidden />}
				{requests.isPaused ? t.follow : t.pause}
			</Button>
			<span className={styles.count} title={t.newestStored(mostRequests)}>
				{requests.isPaused ? t.heldBack(formatCount(requests.held.length)) : t.stored(formatCount(requests.shown.length))}
			</span>
		</div>
	)
}

function NoRequests({row, server}: {row: InstanceRow; server: ForwarderStatus}) {
	const {instance, exposure} = row
	if (!exposure.exposed) {
		return <EmptyState title={t.noRequestYet}>{t.notExposedRequests(instance.name)}</EmptyState>
	}
	if (server.state !== 'running') {
		return <EmptyState title={t.noRequestYet}>{t.exposedBut(instance.name, server.state === 'failed' ? t.notRunning : server.state)}</EmptyState>
	}
	return (
		<EmptyState title={t.noRequestYet}>
			<p>{t.callRequest}</p>
			<Address text={routeUrl(server, row)} what={t.addressRoute} />
		</EmptyState>
	)
}

const sources: Readonly<Record<RequestEntry['source'], string>> = {
	instance: 'Answered by the instance.',
	stale: 'The instance failed: the last good answer was served again.',
	shared: 'Shared: another equal request fetched the answer.',
	cordon: 'Answered by Cordon itself.'
}

/** The request at the cursor in full. Keeps its height without one, so that the table does not jump. */
function RequestDetail({entry}: {entry: RequestEntry | undefined}) {
	return (
		<section className={styles.detail} aria-label={t.requestCursor}>
			{entry === undefined ? (
				<p className={styles.hint}>{t.moveRequest}</p>
			) : (
				<>
					<p className={styles.line}>
						<b className={styles.mono}>
							{entry.method} {entry.path}
						</b>
						<span>{entry.status}</span>
						<span className="dim">{t.fromOf(entry.protocol, entry.client)}</span>
					</p>
					<PhaseNumbers entry={entry} />
					<p className={styles.line}>
						<span>{t.allReceived(formatMeasured(totalMs(entry)), formatBytes(entry.received), formatBytes(entry.sent))}</span>
						<span>{sources[entry.source]}</span>
						{isCut(entry) && <span className="bad">{t.cutShortBy(entry.endedBy === 'cordon' ? '' : t.the, endWords[entry.endedBy])}</span>}
						{entry.reason !== null && <span className={styles.mono}>{entry.reason}</span>}
						{entry.alias !== null && <span className="warn">{t.calledFormer(entry.alias)}</span>}
						<span className="dim">
							{t.request(entry.id)} <CopyButton text={entry.id} what={t.requestId} />
						</span>
					</p>
				</>
			)}
		</section>
	)
}

interface Requests extends RequestLog {
	isLoading: boolean
	error: CordonError | null
	setPaused(isPaused: boolean): void
	retry(): void
}

/** The finished requests of an instance, live; resumes after every reconnection. */
function useRequests(id: string): Requests {
	const {client} = useApi()
	const wire = useWireState().kind
	const [log, setLog] = useState<RequestLog>(emptyLog)
	const [isLoading, setLoading] = useState(true)
	const [error, setError] = useState<CordonError | null>(null)
	const [attempt, setAttempt] = useState(0)

	useEffect(() => {
		if (wire !== 'connected') return
		const stop = new AbortController()
		const take = (batch: Parameters<typeof taken>[1]) => setLog(old => taken(old, batch))
		const follow = async () => {
			try {
				// The stream first: a request that ends between the two calls is in one of them, or in both.
				const stream = await client.instances.follow({id}, {signal: stop.signal})
				take(await client.instances.requests({id, limit: mostRequests}, {signal: stop.signal}))
				setLoading(false)
				setError(null)
				for await (const batch of stream) take(batch)
			} catch (thrown) {
				if (stop.signal.aborted) return
				setLoading(false)
				setError(asCordonError(thrown))
			}
		}
		void follow()
		return () => stop.abort()
	}, [client, id, wire, attempt])

	return {...log, isLoading, error, setPaused: isPaused => setLog(old => paused(old, isPaused)), retry: () => setAttempt(old => old + 1)}
}

const requestColumns: readonly TableColumn<RequestEntry>[] = [
	{id: 'at', title: 'Time', width: 94, hasClock: true, look: 'dim', cell: ({at}) => <Time at={at} form="clock" />},
	{id: 'status', title: 'Status', width: 60, cell: entry => <Status entry={entry} />},
	{id: 'method', title: 'Method', width: 66, look: 'mono', cell: ({method}) => method},
	{id: 'path', title: 'Path', width: 170, look: 'mono', cell: entry => <Path entry={entry} />},
	{id: 'phases', title: 'Phases', width: 96, yields: 1, cell: entry => <PhaseBar entry={entry} />},
	{id: 'took', title: 'Duration', width: 70, align: 'end', cell: entry => formatMeasured(totalMs(entry))},
	{id: 'sent', title: 'Sent', width: 70, yields: 2, align: 'end', look: 'dim', cell: ({sent}) => formatBytes(sent)},
	{id: 'end', title: 'Result', width: 84, cell: entry => <Ended entry={entry} />},
	{id: 'client', title: 'Client', width: 110, yields: 3, look: 'mono', cell: ({client}) => client}
]

function Status({entry}: {entry: RequestEntry}) {
	const {status} = entry
	const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok'
	return <span className={cx(styles.code, tone)}>{status === 0 ? '–' : status}</span>
}

function Path({entry}: {entry: RequestEntry}) {
	const word = sourceWords[entry.source]
	return (
		<span className={styles.path} title={entry.path}>
			<span className="cut">{restOf(entry.path)}</span>
			{word !== '' && entry.source !== 'cordon' && <Tag tone="hold">{word}</Tag>}
			{entry.alias !== null && <Tag tone="warn">{t.oldName}</Tag>}
		</span>
	)
}

/** The path within the instance: the part before it is the same in all requests. */
function restOf(path: string) {
	const rest = /\/instance\/execute\/[^/]*(.*)$/.exec(path)?.[1]
	return rest === undefined ? path : rest === '' ? '/' : rest
}

function Ended({entry}: {entry: RequestEntry}) {
	return (
		<span className={isCut(entry) ? 'bad' : 'dim'} title={entry.reason ?? undefined}>
			{endWords[entry.endedBy]}
		</span>
	)
}

/** A request in words, for announcements. */
function describeRequest(entry: RequestEntry) {
	const end = isCut(entry) ? `, cut short by ${endWords[entry.endedBy]}` : ''
	const reason = entry.reason === null ? '' : `, ${entry.reason}`
	const failed = isFailure(entry) ? 'failed: ' : ''
	return `${failed}${entry.method} ${entry.path}, ${entry.status}, ${formatMeasured(totalMs(entry))}${end}${reason}`
}
