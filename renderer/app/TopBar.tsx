import {ChevronDown, Lock, LockOpen, Search} from 'lucide-react'
import {Button as AriaButton} from 'react-aria-components'

import type {QuotaState, FrameState} from '#model/frame.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {pendingWords} from '#text/isolation.ts'

import {useActiveConnectionOrNull, useActiveFrame, useConnections} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {useFromNow} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {KeyCap} from '#ui/Tag.tsx'
import {Link} from '#ui/Button.tsx'
import {Skeleton} from '#ui/States.tsx'
import {Tooltip} from '#ui/Tooltip.tsx'
import {viewQuota, type QuotaView} from './quota-words.ts'
import {connectionTitle, environmentOf, modeWords} from '#ui/connection-words.ts'
import {modifierName} from '#ui/platform.ts'
import {NoticesBell} from './NoticesBell.tsx'
import styles from './TopBar.module.css'
import {t} from './text.ts'

export function TopBar() {
	const frame = useActiveFrame()
	return (
		<header className={styles.bar}>
			<ConnectionPill />
			{frame !== null && <ModeButton frame={frame} />}
			<SearchButton />
			{frame !== null && <Work frame={frame} />}
			<NoticesBell />
			{frame === null || frame.quota === null ? <QuotaPlace /> : <QuotaMeter quota={frame.quota} />}
		</header>
	)
}

function ConnectionPill() {
	const connection = useActiveConnectionOrNull()
	const open = useUi(ui => ui.setOverlay)
	const known = useConnections()
	if (connection === null) {
		return <span className={styles.noPill}>{known === undefined ? <Skeleton width="96px" /> : t.noConnectionYet}</span>
	}
	const environment = environmentOf(connection)
	return (
		<Tooltip text={t.switchConnection}>
			<AriaButton
				className={cx(styles.pill)}
				aria-haspopup="dialog"
				aria-label={t.connectionOf(connectionTitle(connection))}
				onPress={() => open('connection')}
			>
				{/* A long name is cut, the environment never is. */}
				<span className="cut">{connection.name}</span>
				{environment !== null && <span className={styles.environment}>· {environment}</span>}
				<ChevronDown size={13} aria-hidden />
			</AriaButton>
		</Tooltip>
	)
}

function ModeButton({frame}: {frame: FrameState}) {
	const open = useUi(ui => ui.setOverlay)
	const {word, meaning} = modeWords(frame.mode)
	const Icon = frame.mode.kind === 'guarded' ? LockOpen : Lock
	return (
		<Tooltip text={meaning}>
			<AriaButton
				className={cx(styles.mode, frame.mode.kind === 'read_only' && styles.modeLocked)}
				aria-haspopup="dialog"
				aria-label={t.mode(word)}
				onPress={() => open('mode')}
			>
				<Icon size={12} aria-hidden />
				{word}
			</AriaButton>
		</Tooltip>
	)
}

function SearchButton() {
	const open = useUi(ui => ui.setOverlay)
	return (
		<AriaButton className={cx(styles.search)} aria-haspopup="dialog" onPress={() => open('palette')}>
			<Search size={14} aria-hidden />
			<span className="cut spring">{t.searchComputers}</span>
			<span className={styles.searchKey}>
				<KeyCap keys={`${modifierName()}+K`} />
			</span>
		</AriaButton>
	)
}

function Work({frame}: {frame: FrameState}) {
	const {pendingStart, pendingStop, pendingTooLong} = frame.counts
	const pending = pendingStart + pendingStop
	const {silent, ending, over} = frame.alarms
	return (
		<div className={styles.work}>
			{frame.runningCommands !== 0 && <span className="soft">{t.running(formatCount(frame.runningCommands))}</span>}
			<JobsFact jobs={frame.jobs} />
			{pending !== 0 && (
				<Link href="/computers?filter=isolation%3Apending*" className={styles.pending}>
					{pendingWords(pending, pendingTooLong)}
				</Link>
			)}
			{silent !== 0 && (
				<Link href="/computers?filter=isolation%3Aisolated%20-last_seen%3C1h" className={styles.pending}>
					{t.isolatedOffline(formatCount(silent))}
				</Link>
			)}
			{ending + over !== 0 && (
				<Link href="/overview" className={styles.pending}>
					{over === 0 ? t.soon(counted(ending, ['lease expires', 'leases expire'])) : counted(over, ['lease has expired', 'leases have expired'])}
				</Link>
			)}
		</div>
	)
}

/** Jobs that run, wait for the API limit, or were left by a program that ended. */
function JobsFact({jobs}: {jobs: FrameState['jobs']}) {
	const {running, interrupted, targets, done, failed, waitingUntil} = jobs
	if (running + interrupted === 0) return null
	const words = [
		...(running === 0 ? [] : [`${counted(running, nouns.job)} · ${formatCount(done)} of ${formatCount(targets)}`]),
		...(failed === 0 ? [] : [`${formatCount(failed)} with issues`]),
		...(waitingUntil === null ? [] : ['waiting for API limit']),
		...(interrupted === 0 ? [] : [counted(interrupted, ['job interrupted', 'jobs interrupted'])])
	]
	return (
		<Link href="/jobs" className={styles.pending}>
			{words.join(' · ')}
		</Link>
	)
}

const meanings: Readonly<Record<QuotaView['kind'], string>> = {
	normal: 'API calls left until the reset. The end segment is reserved for releases.',
	low: 'Few API calls are left for lists and jobs. The end segment is reserved for releases.',
	renewed: 'The limit has reset. The next API call updates this number.',
	waiting: 'API limit reached. Calls wait for the reset.'
}

/** Reserves room, so that nothing moves when the first answer shows the calls left. */
function QuotaPlace() {
	return useConnections()?.length === 0 ? null : <div className={styles.quota} aria-hidden />
}

function QuotaMeter({quota}: {quota: QuotaState}) {
	const key = useFromNow(now => JSON.stringify(viewQuota(quota, now)))
	const view = JSON.parse(key) as QuotaView // written one line above
	return (
		<div
			className={cx(styles.quota, styles[view.kind])}
			title={`${view.text}. ${meanings[view.kind]} Reserve: ${counted(quota.reserve, nouns.call)}. ${view.more}`.trim()}
		>
			<span className={styles.quotaText} role={view.kind === 'waiting' ? 'alert' : undefined}>
				<span className={styles.long}>
					{view.text}
					{quota.others === null || view.more === '' ? '' : t.othersUsed(formatCount(quota.others.calls))}
				</span>
				<span className={styles.short}>{view.short}</span>
			</span>
			<span className={styles.meter} aria-hidden>
				<span className={styles.track} style={{flexGrow: 1 - view.reserve}}>
					<span className={styles.left} style={{width: `${(100 * view.left) / Math.max(0.001, 1 - view.reserve)}%`}} />
				</span>
				<span className={styles.track} style={{flexGrow: view.reserve}}>
					<span className={styles.reserve} style={{width: `${(100 * view.reserveLeft) / Math.max(0.001, view.reserve)}%`}} />
				</span>
			</span>
		</div>
	)
}
