import {useNavigate, useParams} from '@tanstack/react-router'

import type {ForwarderStatus, HealthChange, InstanceDetail, InstanceRow} from '#contract/instances.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, ErrorState, LoadingScreen} from '#ui/States.tsx'
import {Button, CopyButton, useCopy} from '#ui/Button.tsx'
import {Headline, Card, Tabs, type TabSpec} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Time} from '#ui/Time.tsx'
import {AddressesTab} from './AddressesTab.tsx'
import {ExposureControl} from './ExposureControl.tsx'
import {InstanceDialogs} from './InstanceDialogs.tsx'
import styles from './InstanceScreen.module.css'
import {RequestsChart, TimesChart} from './LastHour.tsx'
import {ListTab} from './ListTab.tsx'
import {OutputTab} from './OutputTab.tsx'
import {RequestsTab} from './RequestsTab.tsx'
import {EnabledControl, PortControl} from './RunControls.tsx'
import {type InstanceAct, instanceTabs} from './search.ts'
import {SettingsTab} from './SettingsTab.tsx'
import {State} from './State.tsx'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'
import {exposureSource, formatRate, kindWords, routeUrl, trafficWords} from './words.ts'

/** One instance: state, addresses, requests, and settings. */
export function InstanceScreen() {
	const {id} = useParams({from: '/instances/$id'})
	const list = useAsked(q => q.instances.list)
	const {data, error, refetch} = useAsked(q => q.instances.detail, {input: {id}})
	if (error?.code === 'unknown_instance') return <Gone />
	const failure = data === undefined ? (error ?? list.error) : null
	if (failure !== null) return <ErrorState error={failure} title={t.couldNotLoadInstance} onRetry={refetch} />
	if (data === undefined || list.data === undefined) return <LoadingScreen label={t.loadingTheInstance} />
	return <Screen key={id} detail={data} server={list.data.server} />
}

function Screen({detail, server}: {detail: InstanceDetail; server: ForwarderStatus}) {
	const {search, change} = useAddress('/instances/$id')
	const navigate = useNavigate()
	const act = (next: InstanceAct | undefined) => change({act: next})
	const tabs = tabsOf(detail, server)
	const tab = tabs.find(({id}) => id === search.tab)?.id ?? 'requests'
	const back = () => void navigate({to: '/instances', search: {}})
	const copy = useCopy()
	const showTab = (index: number) => () => change({tab: tabOf(tabs[index]?.id)})
	useKeys({
		'instance.edit': () => act('edit'),
		'instance.expose': () => act('expose'),
		'instance.probe': () => act('probe'),
		'instance.copy': () => copy('Address of the route', routeUrl(server, detail.row)),
		'instance.tab1': showTab(0),
		'instance.tab2': showTab(1),
		'instance.tab3': showTab(2),
		'instance.tab4': detail.row.instance.program.kind !== 'external' && showTab(3),
		'instance.back': back
	})
	return (
		<div className="pane">
			<InstanceHeader row={detail.row} server={server} onAct={act} />
			{detail.row.warnings.map(warning => (
				<Banner key={warning} tone="warning">
					{warning}
				</Banner>
			))}
			<div className={styles.columns}>
				<div className={styles.side}>
					<SideCards detail={detail} onAct={act} />
				</div>
				<div className={styles.main}>
					<Tabs label={t.aboutThisInstance} selected={tab} onSelect={id => change({tab: tabOf(id)})} tabs={tabs} />
				</div>
			</div>
			<InstanceDialogs detail={detail} server={server} act={search.act} onClose={() => act(undefined)} onGone={back} />
		</div>
	)
}

function tabsOf(detail: InstanceDetail, server: ForwarderStatus) {
	const {row} = detail
	const {program} = row.instance
	const {kind} = program
	const tabs: TabSpec[] = [
		{id: 'requests', title: 'Requests', content: <RequestsTab row={row} server={server} />},
		{id: 'addresses', title: 'Addresses', content: <AddressesTab recipes={detail.recipes} />},
		{id: 'settings', title: 'Settings', content: <SettingsTab instance={row.instance} />}
	]
	if (kind === 'managed') tabs.push({id: 'output', title: 'Output', content: <OutputTab lines={detail.output} />})
	if (program.kind === 'builtin' && program.builtin.service !== 'webhook')
		tabs.push({id: 'list', title: t.published, content: <ListTab detail={detail} />})
	return tabs
}

function tabOf(id: string | undefined) {
	return instanceTabs.find(each => each === id)
}

function Gone() {
	return (
		<EmptyState title={t.instanceNotFound} to={['/instances', t.backInstances]}>
			{t.removedElsewhere}
		</EmptyState>
	)
}

/** Name, state, the address of the route, and the buttons that open dialogs. */
function InstanceHeader({row, server, onAct}: {row: InstanceRow; server: ForwarderStatus; onAct: (act: InstanceAct) => void}) {
	const {instance, health, exposure} = row
	const url = routeUrl(server, row)
	return (
		<header className="head">
			<Headline list={t.instances} href="/instances" name={instance.name}>
				<State health={health} />
				<Tag tone={exposure.exposed ? 'ok' : 'plain'}>
					{exposure.exposed ? t.exposedInline : t.notExposed}: {exposureSource(exposure)}
				</Tag>
				<Tag>{kindWords(instance.program)}</Tag>
			</Headline>
			<p>
				<span className={styles.url}>{url}</span>
				<CopyButton text={url} what={t.addressRoute} />
				<span className="note">{reachNote(row, server)}</span>
			</p>
			<div className="acts">
				<Button onPress={() => onAct('expose')} opens tone={exposure.exposed ? 'plain' : 'primary'} keys="o">
					{exposure.exposed ? t.stopExposingMore : t.exposeMore}
				</Button>
				<Button onPress={() => onAct('probe')} opens keys="t">
					{t.probe}
				</Button>
				<Button onPress={() => onAct('edit')} opens keys="e">
					{t.changeMore}
				</Button>
				<Button onPress={() => onAct('remove')} opens>
					{t.remove}
				</Button>
			</div>
		</header>
	)
}

/** Why the address does not work now, or for whom it does. */
function reachNote({exposure}: InstanceRow, server: ForwarderStatus) {
	if (!exposure.exposed) return 'not exposed: it is answered with 404'
	if (server.state !== 'running') return 'the forwarding server does not run'
	if (!server.hasRoute) return `platform version ${server.settings.platformVersion} has no routes: 404`
	return server.settings.lan ? 'for everyone who reaches this computer' : 'from this computer only'
}

/** State, switches, the last hour and history. */
function SideCards({detail, onAct}: {detail: InstanceDetail; onAct: (act: InstanceAct) => void}) {
	const {row, traffic, history} = detail
	return (
		<>
			<Card title={t.switches}>
				<ExposureControl row={row} />
				<EnabledControl row={row} />
				<PortControl row={row} onAct={onAct} />
			</Card>
			<Card title={t.lastHour} aside={t.requestsSRunning(formatRate(row.traffic.requestsPerSecond), formatCount(row.traffic.running))}>
				<div className="stack">
					<RequestsChart series={traffic} />
					<TimesChart series={traffic} />
				</div>
				<p className="aside">
					{t.sinceStart(trafficWords(row.traffic))} <Time at={row.traffic.lastRequest} unknown="never" />
				</p>
			</Card>
			<Health detail={detail} history={history} onAct={onAct} />
		</>
	)
}

function Health({detail, history, onAct}: {detail: InstanceDetail; history: readonly HealthChange[]; onAct: (act: InstanceAct) => void}) {
	const guard = useGuard()
	const {instance, health} = detail.row
	const newest = history.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, 8)
	return (
		<Card
			title={t.health}
			aside={
				<>
					{t.lookedAt} <Time at={health.checkedAt} unknown="never" />
				</>
			}
		>
			<p className={styles.now}>
				<State health={health} /> {t.for} <Time at={health.since} form="age" focusable />
			</p>
			{health.reason !== null && <p className={styles.reason}>{health.reason}</p>}
			{newest.length !== 0 && (
				<ol className={styles.history} aria-label={t.changesHealth}>
					{newest.map(change => (
						<li key={`${change.at} ${change.state}`}>
							<Time at={change.at} form="clock" />
							<State health={{...change, since: change.at, checkedAt: null}} />
							<span className={styles.why}>{change.reason}</span>
						</li>
					))}
				</ol>
			)}
			<div className={styles.cardActions}>
				<Button small onPress={() => guard.run(instances => instances.checkNow({id: instance.id}))} reason={guard.isPending ? t.checking : null}>
					{t.checkNow}
				</Button>
				{instance.program.kind !== 'external' && (
					<Button small onPress={() => onAct('restart')} opens>
						{t.restartMore}
					</Button>
				)}
				<Failure error={guard.error} />
			</div>
		</Card>
	)
}
