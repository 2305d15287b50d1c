import {useNavigate, useParams} from '@tanstack/react-router'
import {type ComponentType, useState} from 'react'

import type {ComputerDetail} from '#contract/contract.ts'
import type {ComputerRow} from '#model/computer.ts'
import {pendingTooLongMs} from '#model/isolation.ts'
import {stateMissing, stateStrange} from '#text/isolation.ts'

import {useActiveConnection, useConnected, useAsked, useAskedHere} from '#api/hooks.tsx'
import {ChangeDialog} from '#commands/change/ChangeDialog.tsx'
import {useChange} from '#commands/change/use-change.ts'
import {CopyAsDialog} from '#commands/CopyAsDialog.tsx'
import {LeaseLeft} from '#commands/guard/LeaseLeft.tsx'
import {RevealDialog as Reveal} from '#commands/guard/RevealDialog.tsx'
import {LabelsDialog} from '#commands/LabelsDialog.tsx'
import {MoveComputerDialog} from '#commands/move/MoveComputerDialog.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {PreflightNotes, usePreflight} from '#commands/Preflight.tsx'
import {TargetComputer} from '#commands/TargetComputer.tsx'
import {useConsoleKey} from '#commands/use-console-key.ts'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, EmptyState, ScreenErrorState, Unloaded, LoadingScreen} from '#ui/States.tsx'
import {useFromNow, Time} from '#ui/Time.tsx'
import {CodeView} from '#ui/Facts.tsx'
import {useCopy, Link} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Receipt} from '#ui/isolation/Receipt.tsx'
import {StateLine} from '#ui/isolation/StateLine.tsx'
import {useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {OddRecord} from '#ui/OddRecord.tsx'
import {Card, Tabs} from '#ui/Screen.tsx'
import {computerPage} from '#ui/WebConsole.tsx'
import {AboutCard, PolicyWords} from './AboutCard.tsx'
import {ActivityTab} from './ActivityTab.tsx'
import {ComputerHeader} from './ComputerHeader.tsx'
import styles from './ComputerScreen.module.css'
import {IsolateDialog} from './IsolateDialog.tsx'
import {IsolationHistory} from './IsolationHistory.tsx'
import {LeaseDialog} from './LeaseDialog.tsx'
import {type ComputerSearch, tabIds} from './search.ts'
import {t} from './text.ts'
import {VulnerabilitiesTab} from './VulnerabilitiesTab.tsx'

interface ComputerScreenProps {
	/** Parts of other features: no feature imports another, so the screen receives them. */
	Trajectory: ComponentType<{row: ComputerRow}>
}

/** One computer: its data, isolation, events, and changes. */
export function ComputerScreen({Trajectory}: ComputerScreenProps) {
	const {guid} = useParams({from: '/computers/$guid'})
	const {data, error, refetch} = useAskedHere(q => q.computers.detail, {guid})
	// A failed refresh keeps the earlier data: the last view stays readable.
	if (error !== null && data === undefined) {
		return <ScreenErrorState error={error} title={t.couldNotLoadComputer} onRetry={refetch} />
	}
	if (data === undefined) return <LoadingScreen label={t.loadingTheComputer} />
	if (data === null) return <Unknown guid={guid} />
	return <Computer key={data.row.guid} detail={data} Trajectory={Trajectory} />
}

/** Tabs that need the whole width: the cards beside them are hidden. */
const wideTabs: ReadonlySet<string> = new Set(['trajectory'])

function Computer({detail, Trajectory}: ComputerScreenProps & {detail: ComputerDetail}) {
	const {search, change} = useAddress('/computers/$guid')
	const navigate = useNavigate()
	const act = (next: ComputerSearch['act']) => change({act: next})
	const close = () => act(undefined)
	const tab = search.tab ?? 'activity'
	const readAhead = useReadAhead(detail.row.guid, search.q ?? '')
	const openTab = (next: ComputerSearch['tab']) => {
		readAhead(next)
		change({tab: next})
	}
	useComputerKeys({guid: detail.row.guid, act, tab: openTab, back: () => void navigate({to: '/computers', search: {}})})
	return (
		<div className="pane">
			<ComputerHeader detail={detail} onAct={act} />
			{detail.row.vanishedAt !== null && (
				<Banner tone="warning">
					{t.serviceNoLonger} <Time at={detail.row.vanishedAt} form="exact" />
					{t.lastKnownValues}
				</Banner>
			)}
			<div className={cx(styles.columns, wideTabs.has(tab) && styles.wide)}>
				{!wideTabs.has(tab) && (
					<div className={styles.side}>
						<IsolationCard detail={detail} />
						<AboutCard detail={detail} onLabel={() => act('labels')} />
					</div>
				)}
				<div className={styles.main}>
					<Tabs
						label={t.aboutThisComputer}
						selected={tab}
						onSelect={id => openTab(tabIds.find(each => each === id))}
						tabs={[
							{id: 'activity', title: 'Activity', content: <ActivityTab row={detail.row} />},
							{id: 'trajectory', title: 'Trajectory', content: <Trajectory row={detail.row} />},
							{id: 'log', title: 'Incident log', content: <LogTab guid={detail.row.guid} />},
							{id: 'vulnerabilities', title: 'Vulnerabilities', content: <VulnerabilitiesTab row={detail.row} />},
							{id: 'record', title: 'JSON', content: <RecordTab record={detail.record} />}
						]}
					/>
				</div>
			</div>
			<Dialogs detail={detail} act={search.act} onClose={close} />
		</div>
	)
}

/** The stored trajectory is a large local answer without an API call: requested before its tab is opened. */
function useReadAhead(guid: string, query: string) {
	const {queries, cache, connection} = useConnected()
	return (tab: ComputerSearch['tab']) => {
		if (tab !== 'trajectory') return
		void cache.prefetchQuery(queries.trajectory.stored.queryOptions({input: {connection, guid, query}}))
	}
}

/** Dialogs opened by buttons and keys of this screen. Those that send something stay open to show progress. */
function Dialogs({detail, act, onClose}: {detail: ComputerDetail; act: ComputerSearch['act']; onClose: () => void}) {
	const {row} = detail
	return (
		<>
			{act === 'isolate' && <IsolateDialog detail={detail} onClose={onClose} />}
			{act === 'release' && <ReleaseDialog detail={detail} onClose={onClose} />}
			{act === 'move' && <MoveComputerDialog request={row} onClose={onClose} />}
			{act === 'note' && <NoteDialog target={{guid: row.guid, label: row.hostname}} onClose={onClose} />}
			{act === 'labels' && <LabelsDialog guids={[row.guid]} onClose={onClose} />}
			{act === 'copy' && <CopyAsDialog row={row} onClose={onClose} />}
		</>
	)
}

function Unknown({guid}: {guid: string}) {
	return (
		<EmptyState title={t.computerNotKnown} to={['/computers', t.backComputers]}>
			{t.neitherLocal(guid)}
		</EmptyState>
	)
}

interface ComputerKeys {
	guid: string
	/** Opens a dialog; nothing is sent by a key. */
	act(act: ComputerSearch['act']): void
	tab(tab: NonNullable<ComputerSearch['tab']>): void
	back(): void
}

function useComputerKeys({guid, act, tab, back}: ComputerKeys) {
	const copy = useCopy()
	useKeys({
		'computer.isolate': () => act('isolate'),
		'computer.release': () => act('release'),
		'computer.move': () => act('move'),
		'computer.copy': () => copy('GUID', guid),
		'computer.copyAs': () => act('copy'),
		'computer.note': () => act('note'),
		'computer.labels': () => act('labels'),
		'computer.tab1': () => tab('activity'),
		'computer.tab2': () => tab('trajectory'),
		'computer.tab3': () => tab('log'),
		'computer.tab4': () => tab('vulnerabilities'),
		'computer.tab5': () => tab('record'),
		'computer.back': back
	})
	useConsoleKey(computerPage(guid))
}

const newest = 200

/** Changes of this computer from this profile, newest first. */
function LogTab({guid}: {guid: string}) {
	const log = useAsked(q => q.log.query, {input: {target: guid, limit: newest}})
	const {data} = log
	if (data === undefined) return <Unloaded of={log} title={t.couldNotLoadLog} lines={6} label={t.loadingTheLog} />
	return (
		<div className={styles.tab}>
			<IsolationHistory guid={guid} entries={data.entries} />
			{data.entries.length === 0 && <EmptyState title={t.nothingLog}>{t.noCommandProfile}</EmptyState>}
			<ol className={styles.log} aria-label={t.entriesAbout}>
				{data.entries.map(entry => (
					<li key={entry.id}>
						<Time at={entry.at} form="exact" />
						<span className={styles.who}>{entry.operator}</span>
						<span>{entry.message}</span>
					</li>
				))}
			</ol>
			{data.more && <p className="aside">{t.newestEntries(newest, data.matching)}</p>}
			<Link href={`/log?target=${guid}`}>{t.openIncident}</Link>
		</div>
	)
}

/** An isolated computer not seen for this long is offline. */
const silentMs = 3_600_000

/** Why the state is none of the four: missing in the record, or unknown. */
function unknownState({record}: ComputerDetail) {
	const isolation = record['isolation']
	const status: unknown = typeof isolation === 'object' && isolation !== null ? Reflect.get(isolation, 'status') : null
	return typeof status === 'string' && status !== '' ? stateStrange(status) : stateMissing
}

/** The state, for how long, and the receipt of the last request. */
function IsolationCard({detail}: {detail: ComputerDetail}) {
	const {row, receipt, stateSince, lease} = detail
	const [revealing, setRevealing] = useState(false)
	const [leasing, setLeasing] = useState(false)
	const pending = row.isolation === 'pending_start' || row.isolation === 'pending_stop'
	const tooLong = useFromNow(now => pending && stateSince !== null && now - Date.parse(stateSince) > pendingTooLongMs)
	const silent = useFromNow(now => row.isolation === 'isolated' && (row.lastSeen === null || now - Date.parse(row.lastSeen) > silentMs))
	const held = pending || row.isolation === 'isolated'
	useKey('computer.reveal', () => setRevealing(true), held)
	return (
		<Card title={t.isolation}>
			<StateLine state={row.isolation} since={stateSince} focusable />
			{row.isolation === 'unavailable' && (
				<p className="aside">
					{t.notAvailable} <PolicyWords detail={detail} />
					{t.operatingSystem(row.os || t.unknown)}
				</p>
			)}
			{row.isolation === 'unknown' && <p className="aside">{unknownState(detail)}</p>}
			{tooLong && <Banner tone="warning">{t.noAgentResponse}</Banner>}
			{silent && <Banner tone="warning">{t.isolatedOffline}</Banner>}
			{lease?.trouble !== null && lease !== null && (
				<Banner tone="bad">
					{t.automaticRelease} {lease.trouble}
				</Banner>
			)}
			{receipt === null ? <p className="aside">{t.noRequests}</p> : <Receipt receipt={receipt} />}
			{held && (
				<dl className={styles.facts}>
					<dt>{t.lease}</dt>
					<dd>
						{lease === null ? t.noExpiry : <LeaseLeft lease={lease} />}{' '}
						<Link onPress={() => setLeasing(true)}>{lease === null ? t.setLease : t.changeMore}</Link>
					</dd>
					{lease !== null && (
						<>
							<dt>{t.owner}</dt>
							<dd>
								{lease.holder}
								{lease.note === '' ? '' : `: ${lease.note}`}
							</dd>
						</>
					)}
					<dt>{t.unlockCode}</dt>
					<dd>
						<span className={styles.masked} role="img" aria-label={t.hidden}>
							••••••••
						</span>{' '}
						<Link onPress={() => setRevealing(true)}>{t.reveal}</Link> <Link href="/unlock-codes">{t.vault}</Link>
					</dd>
				</dl>
			)}
			{leasing && <LeaseDialog detail={detail} onClose={() => setLeasing(false)} />}
			<RevealDialog detail={detail} isOpen={revealing} onClose={() => setRevealing(false)} />
		</Card>
	)
}

/** Shows the unlock code of this computer once, for a reason recorded in the log. */
function RevealDialog({detail, isOpen, onClose}: {detail: ComputerDetail; isOpen: boolean; onClose: () => void}) {
	const {id} = useActiveConnection()
	return (
		<Reveal connection={id} guid={detail.row.guid} isOpen={isOpen} onClose={onClose}>
			<TargetComputer detail={detail} />
		</Reveal>
	)
}

function RecordTab({record}: Pick<ComputerDetail, 'record'>) {
	return (
		<>
			<OddRecord record={record} />
			<CodeView value={record} label={t.jsonRecord} />
		</>
	)
}

/** Asks for a reason and sends one request. A release may use the release reserve, and is never blocked. */
function ReleaseDialog({detail, onClose}: {detail: ComputerDetail; onClose: () => void}) {
	const {guid, hostname} = detail.row
	const announce = useAnnounce()
	const preflight = usePreflight(guid, 'release')
	const change = useChange({name: 'svc_delete_computers_isolation', args: {connector_guid: guid}, isFree: true})
	const send = async () => {
		const result = await change.send()
		if (result === null) return
		announce(result.message)
		onClose()
	}
	return (
		<ChangeDialog
			title={`${t.release} ${hostname}`}
			change={change}
			waits={preflight.refusal}
			kind="release"
			onClose={onClose}
			onConfirm={() => void send()}
		>
			<TargetComputer detail={detail} />
			<p className="quiet">{t.computerStays}</p>
			<PreflightNotes view={preflight} />
		</ChangeDialog>
	)
}
