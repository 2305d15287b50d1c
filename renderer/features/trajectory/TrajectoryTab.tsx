import {useEffect, useMemo, useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {Trajectory} from '#contract/insight.ts'
import type {ComputerRow} from '#model/computer.ts'
import {type IndicatorKind, readIndicator} from '#model/indicator.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Button} from '#ui/Button.tsx'
import {EmptyState, ScreenErrorState, Skeleton, FailureBanner, Reason} from '#ui/States.tsx'
import {TextField} from '#ui/Field.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Time} from '#ui/Time.tsx'
import {CompareBar} from './CompareBar.tsx'
import {Drawing} from './Drawing.tsx'
import {merged} from './merge.ts'
import {comparedIn} from './search.ts'
import {t} from './text.ts'
import styles from './Trajectory.module.css'
import {UnderwayLine} from './UnderwayLine.tsx'
import {type Compared, useCompared} from './use-compared.ts'
import {type Attempt, type Underway, useReadings} from './use-readings.ts'

/** The activity of one computer as swim lanes: files down the side, time across. */
export function TrajectoryTab({row}: {row: ComputerRow}) {
	const {search, change} = useAddress('/computers/$guid')
	const query = search.q ?? ''
	const reading = useReading(row.guid, query)
	const read = (asked: string) => {
		if (asked !== query) change({q: asked === '' ? undefined : asked})
		reading.read(asked)
	}
	const compared = useCompared(comparedIn(search.with, row.guid), query)
	const compare = (guids: readonly string[]) => change({with: guids.length === 0 ? undefined : guids.join(','), shared: undefined})
	const onlyShared = (only: boolean) => change({shared: only ? true : undefined})
	const hide = (hideClean: boolean) => change({hide: hideClean ? true : undefined})
	return (
		<div className={styles.tab}>
			<div className="cluster">
				<QueryBar query={query} trajectory={reading.trajectory ?? null} hostname={row.hostname} underway={reading.underway} onRead={read} />
				{reading.trajectory !== null && reading.trajectory !== undefined && <CompareBar row={row} compared={compared} onChange={compare} />}
			</div>
			<Body
				{...{row, query, reading, read, hide, compared, onlyShared}}
				hideClean={search.hide === true}
				asked={search.event}
				sharedOnly={search.shared === true}
			/>
		</div>
	)
}

interface BodyProps {
	row: ComputerRow
	query: string
	reading: Reading
	read: (query: string) => void
	hideClean: boolean
	hide: (hide: boolean) => void
	compared: readonly Compared[]
	sharedOnly: boolean
	asked: string | undefined
	onlyShared: (only: boolean) => void
}

function Body({row, query, reading, read, hideClean, hide, compared, sharedOnly, asked, onlyShared}: BodyProps) {
	const {trajectory, underway, error} = reading
	const drawn = useDrawn(trajectory, compared)
	const again = () => read(query)
	if (trajectory === null || trajectory === undefined) {
		if (underway !== null) return <DrawingSkeleton label={t.loadingTrajectory(row.hostname)} />
		if (error !== null) return <ScreenErrorState error={error} title={titleOf(error)} onRetry={again} />
		return trajectory === null ? <NeverRead {...{row, query, read}} /> : <DrawingSkeleton label={t.lookingStored} />
	}
	return (
		<>
			{error !== null && (
				<FailureBanner error={error} tone={error.code === 'rate_limited' ? 'warning' : 'bad'} act={[t.tryAgain, again]}>
					{titleOf(error)}: <Reason error={error} /> {t.thisIsTheTimeline} <Time at={trajectory.readAt} />.
				</FailureBanner>
			)}
			{drawn === null || drawn.points.length === 0 ? (
				<Nothing {...{row, query, read}} />
			) : (
				<Drawing
					key={`${trajectory.guid} ${trajectory.query} ${drawn.parts.map(({guid}) => guid).join(' ')}`}
					trajectory={drawn}
					{...{hideClean, sharedOnly, asked}}
					onSharedOnly={onlyShared}
					onHide={hide}
					onNarrow={read}
				/>
			)}
		</>
	)
}

/** All loaded readings on one axis; recreated only after a new one. */
function useDrawn(first: Trajectory | null | undefined, compared: readonly Compared[]) {
	const others = compared.flatMap(({trajectory}) => trajectory ?? [])
	const key = others.map(({guid, readAt}) => `${guid} ${readAt}`).join(' ')
	const latest = useRef(others)
	latest.current = others
	return useMemo(() => (first === null || first === undefined ? null : merged(first, key === '' ? [] : latest.current)), [first, key])
}

function titleOf({code}: CordonError) {
	if (code === 'not_found') return 'The service does not know this computer any more'
	if (code === 'rate_limited') return 'Waiting for the API limit'
	return 'Could not load the trajectory'
}

interface QuestionProps {
	row: ComputerRow
	query: string
	read: (query: string) => void
}

function NeverRead({row, query, read}: QuestionProps) {
	return (
		<EmptyState title={t.trajectoryNot} act={[t.loadTrajectory, () => read(query), null, 'primary']}>
			{t.showsWhatCreated(row.hostname, query === '' ? '' : t.limitedTo(query))}
		</EmptyState>
	)
}

function Nothing({row, query, read}: QuestionProps) {
	const doubt = doubtOf(query)
	if (query !== '')
		return (
			<EmptyState title={t.noMatchHere} act={[t.loadEverything, () => read('')]}>
				{t.serviceKeeps(row.hostname, query, doubt === null ? '' : ` ${doubt}`)}
			</EmptyState>
		)
	return <EmptyState title={t.agentSentNothing}>{t.serviceNoEvents(row.hostname)}</EmptyState>
}

const lanes = 9

function DrawingSkeleton({label}: {label: string}) {
	return (
		<div className={styles.skeleton} role="status" aria-label={label}>
			{Array.from({length: lanes}, (_, lane) => (
				<div key={lane} className={styles.skeletonLane}>
					<Skeleton width={`${50 + ((lane * 37) % 40)}%`} />
					<span className={styles.skeletonLine}>
						{Array.from({length: 3 + (lane % 4)}, (_each, mark) => (
							<span key={mark} style={{left: `${(lane * 23 + mark * 19) % 96}%`}} />
						))}
					</span>
				</div>
			))}
		</div>
	)
}

interface Reading extends Attempt {
	/** `undefined` while unknown whether one is stored. */
	trajectory: Trajectory | null | undefined
	/** Queries the service: one call. */
	read(query: string): void
}

/** The stored trajectory of a computer and query, and a function to load a new one. A failure keeps the old one. */
function useReading(guid: string, query: string): Reading {
	const stored = useAskedHere(q => q.trajectory.stored, {guid, query})
	const readings = useReadings()
	const {underway, error} = readings.of(guid, query)
	return {trajectory: stored.data, underway, error: error ?? stored.error, read: asked => void readings.read(guid, asked)}
}

interface QueryBarProps {
	query: string
	trajectory: Trajectory | null
	hostname: string
	underway: Underway | null
	onRead: (query: string) => void
}

/** What to query, and its cost. A mistake is reported before it costs a call. */
function QueryBar({query, trajectory, hostname, underway, onRead}: QueryBarProps) {
	const [typed, setTyped] = useState(query)
	const [problem, setProblem] = useState<string | null>(null)
	const field = useRef<HTMLInputElement>(null)
	useEffect(() => {
		setTyped(query)
		setProblem(null)
	}, [query])
	useKey('trajectory.ask', () => field.current?.focus())
	const isReading = underway !== null
	const judged = judgeQuery(typed)
	const submit = () => {
		setProblem(judged.problem)
		if (judged.ask === null || isReading) return
		// The query may differ in form from the typed text, and equal the present one.
		setTyped(judged.ask)
		onRead(judged.ask)
	}
	const isSame = judged.ask === query || typed.trim() === query
	return (
		<form
			className={styles.query}
			role="search"
			onSubmit={event => {
				event.preventDefault()
				submit()
			}}
		>
			<TextField
				label={t.queryService}
				hideLabel
				type="search"
				inputRef={field}
				value={typed}
				onChange={next => {
					setTyped(next)
					setProblem(null)
				}}
				error={problem}
				mono
				placeholder={t.everythingIPv4}
				className={styles.grow}
			/>
			{trajectory === null && isSame && !isReading ? null : (
				<Button type="submit" reason={isReading ? t.queryInProgress : null} tooltip={t.queriesService1}>
					{isReading ? t.loadingNow : trajectory !== null && isSame ? t.refreshForOneCall : t.load1Call}
				</Button>
			)}
			<span className={styles.age}>
				{underway === null ? (
					<ReadAt trajectory={trajectory} />
				) : (
					<UnderwayLine {...{underway, hostname}} onStopped={() => field.current?.focus()}>
						<ReadAt trajectory={trajectory} />
					</UnderwayLine>
				)}
			</span>
		</form>
	)
}

function ReadAt({trajectory}: {trajectory: Trajectory | null}) {
	if (trajectory === null) return null
	return (
		<>
			{t.loadedInline} <Time at={trajectory.readAt} focusable />
		</>
	)
}

/* Checks of the typed query: pure. The service answers a typing error like a value it never saw. */

/** The query in the service's form, or why it would find nothing. */
type Judged = {ask: string; problem: null} | {ask: null; problem: string}

const finds = 'The service looks for an IPv4 address, a SHA-256, a URL or a file name.'

/** Empty queries everything; `user:` and a name queries that user's activity (API reference, 4.5 and 4.6). */
export function judgeQuery(typed: string): Judged {
	const text = typed.trim()
	if (text === '') return asked('')
	const user = /^user:(.*)$/is.exec(text)?.[1]?.trim()
	if (user === '') return refused('Write the name after “user:”, such as user:j.doe.')
	if (user !== undefined) return asked(`user:${user}`)
	const slip = slipOf(text)
	if (slip !== null) return refused(slip)
	const found = readIndicator(text)
	if (found === null) return refused(`There is nothing to look for in “${text}”. ${finds}`)
	const never = neverFound[found.kind]
	if (never !== undefined) return refused(`${never} ${finds}`)
	if (found.kind === 'user') return refused(`For what a user did, write user:${nameOf(found.value)}`)
	return asked(found.value)
}

/** Possible reason of an empty answer; `null` without one. */
export function doubtOf(query: string) {
	if (/^user:/i.test(query)) return 'A user is found by the whole name, as the events write it.'
	const kind = readIndicator(query)?.kind
	if (kind === 'name' || kind === 'text' || kind === 'file')
		return `It was looked for as the whole name of a file. For what a user did, write user:${query}`
	return null
}

const neverFound: Readonly<Partial<Record<IndicatorKind, string>>> = {
	sha1: 'This is a SHA-1.',
	md5: 'This is an MD5.',
	network: 'This is a network, not one address.',
	ipv6: 'This is an IPv6 address.',
	mac: 'This is a MAC address.',
	guid: 'This is a GUID.'
}

/** A malformed address or hash. */
function slipOf(text: string) {
	const dotted = /^\d+(?:\.\d+)+\.?$/.test(text)
	if (dotted && readIndicator(text)?.kind !== 'ip') return `“${text}” is not an IPv4 address: that is four numbers from 0 to 255.`
	const isHash = /^[\da-f]{24,}$/i.test(text) || /^[\da-z]{62,66}$/i.test(text)
	if (!isHash || [32, 40].includes(text.length) || /^[\da-f]{64}$/i.test(text)) return null
	return `This is not a SHA-256: that is 64 digits from 0 to 9 and a to f, and this has ${text.length}${text.length === 64 ? ' with others' : ''}.`
}

/** `CORP\jdoe` and `jdoe@host` are the user `jdoe` for the service. */
function nameOf(user: string) {
	return user.replace(/^.*\\/, '').replace(/@.*$/, '')
}

function asked(ask: string): Judged {
	return {ask, problem: null}
}

function refused(problem: string): Judged {
	return {ask: null, problem}
}
