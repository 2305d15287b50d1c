import {Link as RouterLink} from '@tanstack/react-router'
import {Button as AriaButton} from 'react-aria-components'

import type {FrameState, InventoryState} from '#model/frame.ts'
import {formatMeasured} from '#text/durations.ts'
import {formatCount} from '#text/numbers.ts'

import {useActiveFrame, useSettings, useAsked} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {cx} from '#ui/cx.ts'
import {KeyCap} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './BottomLine.module.css'
import {t} from './text.ts'

/** The command behind the last click, the age of the data, the incident, and two shortcuts. */
export function BottomLine() {
	const frame = useActiveFrame()
	const line = useUi(ui => ui.lastCommand)
	const setDrawer = useUi(ui => ui.setDrawer)
	const setOverlay = useUi(ui => ui.setOverlay)
	return (
		<footer className={styles.line}>
			{line === null ? (
				<span className="spring" />
			) : (
				<AriaButton className={cx(styles.command)} aria-label={t.openCommand(line)} onPress={() => setDrawer(true, line)}>
					<span className={styles.mark} aria-hidden>
						!
					</span>
					<span className="cut">{line}</span>
				</AriaButton>
			)}
			<span className={styles.facts}>
				{frame !== null && <DataAge inventory={frame.inventory} />}
				{frame?.stream == null ? null : <StreamFact stream={frame.stream} />}
				<LogTarget />
				<AriaButton className={cx(styles.key)} onPress={() => setDrawer(true)}>
					<KeyCap keys=":" /> {t.commandLineInline}
				</AriaButton>
				<AriaButton className={cx(styles.key)} onPress={() => setOverlay('keys')}>
					<KeyCap keys="?" /> {t.shortcuts}
				</AriaButton>
			</span>
		</footer>
	)
}

function DataAge({inventory}: {inventory: InventoryState}) {
	if (inventory.phase === 'loading') {
		const pages = inventory.pages === null ? '' : ` of ${formatCount(inventory.pages)}`
		return <span className={styles.fact}>{t.loadingPage(formatCount(inventory.pagesRead + 1), pages)}</span>
	}
	// As above the list: an incomplete reading makes no data younger.
	const at = inventory.completeAt ?? inventory.readAt
	if (at === null) return null
	return (
		<span className={styles.fact}>
			{t.updated} <Time at={at} form="age" /> {t.ago}
		</span>
	)
}

function StreamFact({stream}: {stream: NonNullable<FrameState['stream']>}) {
	const {phase, lagMs, problem} = stream
	const isLive = phase === 'live'
	return (
		<RouterLink to="/events" className={cx(styles.fact, !isLive && styles.late)} title={problem?.message ?? ''}>
			{isLive ? t.eventsLive(lagMs === null ? '' : `, ${formatMeasured(lagMs)}`) : t.eventsNotLive}
		</RouterLink>
	)
}

function LogTarget() {
	const {activeIncident} = useSettings()
	const incidents = useAsked(q => q.log.incidents, {enabled: activeIncident !== null})
	const incident = incidents.data?.find(each => each.id === activeIncident)
	return (
		<RouterLink to="/log" className={cx(styles.fact)}>
			{incident === undefined ? t.noActiveIncident : t.incident(incident.reference === '' ? incident.title : incident.reference)}
		</RouterLink>
	)
}
