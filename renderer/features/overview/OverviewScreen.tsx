import {RefreshCw} from 'lucide-react'
import {useMemo} from 'react'

import {errorFromReport} from '#contract/errors.ts'
import type {Overview, OverviewDuring, Tile} from '#contract/insight.ts'
import type {FrameState, InventoryState} from '#model/frame.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {nouns, tileTitles} from '#text/terms.ts'
import {useActiveConnection, useActiveFrame, useConnected, useAsked, useAskedHere, useCall} from '#api/hooks.tsx'
import {useReadComputers} from '#commands/use-read-computers.ts'
import {Banner, ScreenErrorState, Unloaded, Skeleton, Reason, LocalDataError} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import type {TimeRange} from '#ui/chart/histogram-shapes.ts'
import {cx} from '#ui/cx.ts'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Time} from '#ui/Time.tsx'
import {Card, ScreenBar} from '#ui/Screen.tsx'
import {Funnel} from '#ui/chart/Funnel.tsx'
import {StackedBars} from '#ui/chart/StackedBars.tsx'
import {Treemap} from '#ui/chart/Treemap.tsx'
import type {Tone} from '#ui/chart/theme.ts'
import {AllConnections} from './AllConnections.tsx'
import {Attention} from './Attention.tsx'
import {EventsPicture} from './EventsPicture.tsx'
import {LastActions} from './LastActions.tsx'
import styles from './OverviewScreen.module.css'
import {t} from './text.ts'
import {useChosenTime, pathDuring} from './use-chosen-time.ts'
import {useOpen} from './use-open.ts'

/** Some facts change with time: a request becomes too old, a computer offline. Costs no call. */
const lookAgainMs = 30_000

/** What needs action in the next ten minutes, and the state of the current tenant. */
export function OverviewScreen() {
	const {connection: id} = useConnected()
	const frame = useActiveFrame()
	const {data, error, refetch} = useAsked(q => q.overview, {input: {connection: id}, refetchInterval: lookAgainMs})
	return (
		<div className={styles.screen}>
			<OverviewBar overview={data} frame={frame} />
			<Missing inventory={frame?.inventory} isToldAbove={frame?.link.kind === 'failing'} />
			<div className={styles.body} tabIndex={-1}>
				{error !== null && data === undefined ? <LocalDataError error={error} onRetry={refetch} /> : <Parts overview={data} frame={frame} />}
			</div>
		</div>
	)
}

function Parts({overview, frame}: {overview: Overview | undefined; frame: FrameState | null}) {
	const {refresh} = useRefreshAll()
	const {id: connection} = useActiveConnection()
	const inventory = frame?.inventory
	const isKnown = overview !== undefined && (overview.computersAt !== null || (inventory?.rows ?? 0) > 0)
	const failure = isKnown || inventory?.phase !== 'failed' ? null : inventory.error
	const isOld = inventory?.phase === 'failed' || frame?.link.kind === 'failing'
	const shown = isKnown ? overview : undefined
	return (
		<>
			<Attention
				connection={connection}
				items={overview === undefined || (!isKnown && failure === null && overview.attention.length === 0) ? undefined : overview.attention}
				checkedAt={overview?.checkedAt}
				isBlind={!isKnown}
			/>
			<AllConnections />
			{failure === null ? (
				<Tiles tiles={shown?.tiles} isOld={isOld} />
			) : (
				<Card title={t.computers}>
					<ScreenErrorState error={errorFromReport(failure)} title={t.couldNotLoadComputers} onRetry={refresh} />
				</Card>
			)}
			<div className={styles.card}>
				<EventsPicture hasEvents={overview?.eventsAt != null} />
			</div>
			{shown !== undefined ? <Facts key={connection} overview={shown} /> : failure === null ? <FactsToCome /> : null}
		</>
	)
}

/** Reserves the final height, so that nothing jumps. */
function FactsToCome() {
	return (
		<div className={styles.grid} aria-hidden>
			{['groups', 'connectors'].map(each => (
				<div key={each} className={styles.card}>
					<Skeleton width="100%" height={262} />
				</div>
			))}
		</div>
	)
}

function Facts({overview}: {overview: Overview}) {
	const {range, during, query} = useDuring(overview)
	return (
		<div className={styles.grid}>
			<div className={styles.card}>
				<GroupsPicture groups={overview.groups} />
			</div>
			<div className={styles.card}>
				<ConnectorsPicture connectors={overview.connectors} />
			</div>
			<div className={styles.lastActions}>
				{during === undefined ? (
					<Unloaded of={query} label={t.checkingWhatChanged} />
				) : (
					<LastActions actions={during.lastActions} audit={overview.audit} range={range} />
				)}
			</div>
			{during !== undefined && (
				<div className={cx(styles.card, styles.isolations)}>
					<IsolationPicture isolation={during.isolation} range={range} />
				</div>
			)}
		</div>
	)
}

/** Time-dependent parts: of the selected time, otherwise the newest. */
function useDuring(overview: Overview) {
	const {range} = useChosenTime()
	const {from, to} = range ?? {from: overview.checkedAt, to: overview.checkedAt}
	const query = useAskedHere(q => q.overviewDuring, {from, to}, {enabled: range !== null})
	const during: OverviewDuring | undefined = range === null ? overview : query.data
	return {range, during, query}
}

interface MissingProps {
	inventory: InventoryState | undefined
	/** The frame already reports the service's failure. */
	isToldAbove: boolean
}

function Missing({inventory, isToldAbove}: MissingProps) {
	const read = useReadComputers()
	if (inventory === undefined || inventory.rows === 0) return null
	if (inventory.phase === 'partial') {
		const pages = inventory.missing.map(offset => offset / 500 + 1).join(', ')
		return (
			<Banner tone="warning" act={[t.loadWhatMissing, read.missing]}>
				{t.computersCould(formOf(inventory.missing.length, ['Page', 'Pages']), pages)} <Reason error={inventory.error} /> {t.numbersCount}
			</Banner>
		)
	}
	if (inventory.phase !== 'failed' || isToldAbove) return null
	return (
		<Banner tone="warning" act={[t.tryAgain, read.again]}>
			{t.couldNotRefresh} <Reason error={inventory.error} /> {t.numbersLocal} <Time at={inventory.readAt} form="age" focusable /> {t.oldAtEnd}
		</Banner>
	)
}

interface TilesProps {
	/** `undefined` before the first load. */
	tiles: readonly Tile[] | undefined
	/** Whether the numbers are old and the service is unreachable. */
	isOld: boolean
}

function Tiles({tiles, isOld}: TilesProps) {
	if (tiles === undefined)
		return (
			<ul className={styles.tiles} aria-label={t.numbers} aria-busy="true">
				{Object.values(tileTitles).map(title => (
					<li key={title} className={styles.tile}>
						<span className={styles.number}>
							<Skeleton width="48px" height={18} />
						</span>
						<span className="note">{title}</span>
					</li>
				))}
			</ul>
		)
	return (
		<ul className={cx(styles.tiles, isOld && styles.old)} aria-label={t.numbers}>
			{tiles.map(tile => (
				<li key={tile.kind}>
					<Link href={tile.open} className={cx(styles.tile, styles[toneOf(tile)])}>
						<span className={styles.number}>
							{tile.atLeast ? '≥ ' : ''}
							{formatCount(tile.count)}
						</span>
						<span className="note">{tile.title}</span>
					</Link>
				</li>
			))}
		</ul>
	)
}

function toneOf({kind, count}: Tile) {
	if (count === 0) return 'zero'
	if (kind === 'compromised') return 'bad'
	return kind === 'isolated' || kind === 'pending' ? 'hold' : 'plain'
}

/** Ages of the parts, and the refresh button with its cost. */
function OverviewBar({overview, frame}: {overview: Overview | undefined; frame: FrameState | null}) {
	const {name} = useActiveConnection()
	const {isRefreshing, refresh} = useRefreshAll()
	const loading = isRefreshing || frame?.inventory.phase === 'loading'
	const calls = overview?.refreshCalls ?? null
	useKey('list.refresh', refresh, !loading)
	return (
		<ScreenBar
			title={t.overview}
			facts={
				overview && (
					<>
						{t.ofComputers(name)} <Age at={overview.computersAt} /> {t.eventsTitle} <Age at={overview.eventsAt} />
						{loading && <Progress frame={frame} />}
					</>
				)
			}
		>
			<Button
				onPress={refresh}
				reason={loading ? t.loadingNow : null}
				tooltip={t.refreshesComputers(calls === null ? '' : t.aboutOf(counted(calls, nouns.call)))}
			>
				<RefreshCw size={13} aria-hidden />
				{t.refresh}
				<span className={styles.price}>{calls === null ? '' : ` · ${counted(calls, nouns.call)}`}</span>
			</Button>
		</ScreenBar>
	)
}

function Age({at}: {at: string | null}) {
	if (at === null) return 'not loaded yet'
	return (
		<>
			<Time at={at} form="age" focusable /> {t.old}
		</>
	)
}

function Progress({frame}: {frame: FrameState | null}) {
	const inventory = frame?.inventory
	if (inventory?.phase !== 'loading') return ' · loading'
	const pages = inventory.pages === null ? '' : ` of ${formatCount(inventory.pages)}`
	return ` · loading page ${formatCount(inventory.pagesRead + 1)}${pages}`
}

/** Refreshes computers and events. The frame and the event store report the outcome. */
function useRefreshAll(): {isRefreshing: boolean; refresh(): void} {
	const {connection} = useConnected()
	const {isPending, mutate} = useCall(client => Promise.allSettled([client.computers.refresh({connection}), client.events.refresh({connection})]))
	return {isRefreshing: isPending, refresh: () => mutate()}
}

const computersUnit = nouns.computer

/** Groups by size, shaded by their share of compromised computers. */
function GroupsPicture({groups}: {groups: Overview['groups']}) {
	const open = useOpen()
	const items = useMemo(
		() => groups.map(({guid, name, computers, compromised}) => ({key: guid, name, value: computers, marked: compromised})),
		[groups]
	)
	return (
		<Treemap
			title={t.groups}
			items={items}
			unit={computersUnit}
			mark="compromised"
			onOpen={({key}) => open(groups.find(({guid}) => guid === key)?.open ?? '/computers')}
			height={232}
			empty={t.noComputer}
			fileName="groups"
		/>
	)
}

const systemTones: readonly Tone[] = ['accent', 'hold', 'dim', 'ok', 'faint']

/** Connector versions, newest first, by family of operating systems. */
function ConnectorsPicture({connectors}: {connectors: Overview['connectors']}) {
	const open = useOpen()
	const {bars, series} = useMemo(() => barsOf(connectors), [connectors])
	return (
		<StackedBars
			title={t.agentVersions}
			bars={bars}
			series={series}
			what={t.version}
			unit={computersUnit}
			onOpen={(bar, index) => {
				const version = bars[bar]
				const os = series[index]?.name
				const found = connectors.find(each => each.version === version && each.os === os)
				open(found?.open ?? `/computers?filter=${encodeURIComponent(`connector="${version ?? ''}"`)}`)
			}}
			empty={t.noAgentKnown}
			fileName="connector-versions"
		/>
	)
}

function barsOf(connectors: Overview['connectors']) {
	const bars = [...new Set(connectors.map(({version}) => version))]
	const systems = [...new Set(connectors.map(({os}) => os))].toSorted((a, b) => orderOf(a) - orderOf(b) || a.localeCompare(b))
	const series = systems.map((os, index) => ({
		name: os,
		tone: systemTones[index % systemTones.length] ?? 'faint',
		values: bars.map(version => connectors.find(each => each.version === version && each.os === os)?.computers ?? 0)
	}))
	return {bars, series}
}

function orderOf(os: string) {
	const place = ['Windows', 'Windows Server', 'macOS', 'Linux'].indexOf(os)
	return place < 0 ? 9 : place
}

interface IsolationPictureProps {
	isolation: Overview['isolation']
	/** `null`: the last 7 days. */
	range: TimeRange | null
}

/** Progress of the isolations requested by this console. */
function IsolationPicture({isolation, range}: IsolationPictureProps) {
	const open = useOpen()
	const {requested, accepted, isolated} = isolation
	const steps = useMemo(
		() =>
			[
				{name: 'Requested', value: requested, tone: 'faint'},
				{name: 'Accepted', value: accepted, tone: 'accent'},
				{name: 'Isolated', value: isolated, tone: 'hold'}
			] as const,
		[requested, accepted, isolated]
	)
	const time = range === null ? 'the last 7 days' : 'the chosen time'
	const kinds = ['command.requested', 'command.succeeded', 'command.observed']
	return (
		<Funnel
			title={t.isolationsOf(time)}
			steps={steps}
			onOpen={step => open(pathDuring(`/log?kind=${kinds[step] ?? ''}&text=svc_put_computers_isolation`, range))}
			empty={t.noIsolation(time)}
			fileName="isolations"
		/>
	)
}
