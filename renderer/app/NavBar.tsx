import {useQuery} from '@tanstack/react-query'
import {Link as RouterLink, useRouterState} from '@tanstack/react-router'
import {
	Activity,
	BadgeCheck,
	Cable,
	FileX2,
	FolderTree,
	Layers,
	ListTree,
	Monitor,
	NotebookText,
	Plug,
	Search,
	Settings,
	ShieldHalf,
	SquareTerminal,
	Waypoints,
	Workflow,
} from 'lucide-react'
import {useEffect, useState, type ComponentType, type ReactNode} from 'react'
import {Button as AriaButton} from 'react-aria-components'

import type {FrameState} from '#shared/model/frame.ts'
import {counted, formatCount} from '#shared/text/numbers.ts'

import {useActiveFrame} from '../api/active.tsx'
import {useApi} from '../api/ApiProvider.tsx'
import {useConnections} from '../api/hooks.ts'
import {useUi} from '../state/ui.tsx'
import styles from './NavBar.module.css'
import {t} from './text.ts'

type Icon = ComponentType<{readonly size?: number; readonly strokeWidth?: number; readonly 'aria-hidden'?: 'true'}>

export function NavBar() {
	const frame = useActiveFrame()
	const connections = useConnections()
	const isDrawerOpen = useUi(ui => ui.isDrawerOpen)
	const setDrawer = useUi(ui => ui.setDrawer)
	// That screen is the command line, so the drawer at the foot is hidden.
	const isFull = useRouterState({select: state => state.location.pathname === '/command-line'})
	return (
		<nav className={styles.nav} aria-label={t.screens}>
			<OverviewLink connection={frame?.connection.id ?? null} />
			<NavLink
				to="/computers"
				icon={Monitor}
				title={t.computers}
				count={isCounted(frame) ? formatCount(frame.counts.computers) : undefined}
			/>
			<NavLink to="/groups" icon={FolderTree} title={t.groups} />
			<NavLink to="/policies" icon={ShieldHalf} title={t.policies} />
			<NavLink to="/file-lists" icon={FileX2} title={t.fileLists} />
			<NavLink to="/events" icon={ListTree} title={t.events} />
			<NavLink to="/search" icon={Search} title={t.search} />
			<span className={styles.section}>{t.operations}</span>
			{isFull ? (
				<NavLink to="/command-line" icon={SquareTerminal} title={t.commandLine} />
			) : (
				<AriaButton className={styles.item ?? ''} aria-expanded={isDrawerOpen} onPress={() => setDrawer(!isDrawerOpen)}>
					<Inside icon={SquareTerminal} title={t.commandLine} />
				</AriaButton>
			)}
			<JobsLink frame={frame} />
			<NavLink to="/playbooks" icon={Workflow} title={t.playbooks} />
			<ApprovalsLink />
			<NavLink to="/log" icon={NotebookText} title={t.incidentLog} />
			<InstancesLink />
			<span className={styles.section}>{t.setup}</span>
			<NavLink
				to="/connections"
				icon={Cable}
				title={t.connections}
				count={connections === undefined ? undefined : formatCount(connections.length)}
			/>
			<NavLink to="/automation" icon={Plug} title={t.automation} />
			<NavLink to="/settings" icon={Settings} title={t.settings} />
		</nav>
	)
}

/** Before the first reading the number is unknown. */
function isCounted(frame: FrameState | null): frame is FrameState {
	return frame !== null && (frame.counts.computers > 0 || frame.inventory.completeAt !== null)
}

const calmMs = 1000

/** Waits until after the start: counts over everything must not delay the first rows. */
function useCalm(): boolean {
	const [isCalm, setCalm] = useState(false)
	useEffect(() => {
		const timer = setTimeout(() => setCalm(true), calmMs)
		return () => clearTimeout(timer)
	}, [])
	return isCalm
}

function OverviewLink({connection}: {readonly connection: string | null}) {
	const isCalm = useCalm()
	const {data} = useQuery(
		useApi().queries.overview.queryOptions({input: {connection: connection ?? ''}, enabled: connection !== null && isCalm}),
	)
	const count = data?.attention.length ?? 0
	return (
		<NavLink
			to="/overview"
			icon={Activity}
			title={t.overview}
			count={
				count === 0 ? undefined : (
					<span role="img" aria-label={t.attention(counted(count, ['line needs', 'lines need']))}>
						{formatCount(count)}
					</span>
				)
			}
		/>
	)
}

/** Shows how many jobs run, and a mark when a program ended and left one. */
function JobsLink({frame}: {readonly frame: FrameState | null}) {
	const {running, interrupted} = frame?.jobs ?? {running: 0, interrupted: 0}
	const word = `${interrupted} interrupted`
	return (
		<NavLink
			to="/jobs"
			icon={Layers}
			title={t.jobs}
			count={
				running + interrupted === 0 ? undefined : (
					<>
						{interrupted === 0 ? null : (
							<span className={styles.bad} role="img" aria-label={word} title={word}>
								▲
							</span>
						)}
						{running === 0 ? '' : formatCount(running)}
					</>
				)
			}
		/>
	)
}

/** Shows how many approvals wait. */
function ApprovalsLink() {
	const {data} = useQuery(useApi().queries.approvals.list.queryOptions({input: {all: false}}))
	const count = data?.filter(({state}) => state === 'pending').length ?? 0
	return (
		<NavLink
			to="/approvals"
			icon={BadgeCheck}
			title={t.approvals}
			count={
				count === 0 ? undefined : (
					<span role="img" aria-label={t.waiting(formatCount(count))}>
						{formatCount(count)}
					</span>
				)
			}
		/>
	)
}

/** Shows how many instances exist, with a mark when one of them or the server needs attention. */
function InstancesLink() {
	const {data} = useQuery(useApi().queries.instances.list.queryOptions())
	const ill = data?.rows.filter(row => row.health.state === 'unhealthy').length ?? 0
	const isBad = ill > 0 || data?.server.state === 'failed'
	const word = data?.server.state === 'failed' ? 'the forwarding server failed' : `${ill} unhealthy`
	return (
		<NavLink
			to="/instances"
			icon={Waypoints}
			title={t.instances}
			count={
				data === undefined ? undefined : (
					<>
						{isBad ? (
							<span className={styles.bad} role="img" aria-label={word} title={word}>
								▲
							</span>
						) : null}
						{formatCount(data.rows.length)}
					</>
				)
			}
		/>
	)
}

interface NavLinkProps {
	readonly to:
		| '/overview'
		| '/computers'
		| '/groups'
		| '/policies'
		| '/file-lists'
		| '/events'
		| '/search'
		| '/jobs'
		| '/playbooks'
		| '/approvals'
		| '/automation'
		| '/log'
		| '/instances'
		| '/connections'
		| '/settings'
		| '/command-line'
		| '/settings'
		| '/command-line'
	readonly icon: Icon
	readonly title: string
	readonly count?: ReactNode
}

function NavLink({to, icon, title, count}: NavLinkProps) {
	return (
		<RouterLink to={to} className={styles.item ?? ''} activeProps={{'aria-current': 'page'}} title={title}>
			<Inside icon={icon} title={title} count={count} />
		</RouterLink>
	)
}

function Inside({icon: Shape, title, count}: {readonly icon: Icon; readonly title: string; readonly count?: ReactNode}) {
	return (
		<>
			<Shape size={16} strokeWidth={1.6} aria-hidden="true" />
			<span className={styles.title}>{title}</span>
			{count === undefined ? null : <span className={styles.count}>{count}</span>}
		</>
	)
}
