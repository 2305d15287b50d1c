import {useMutation, useMutationState} from '@tanstack/react-query'
import {Outlet, useNavigate, useRouter, useRouterState} from '@tanstack/react-router'
import {type ReactNode, Suspense, useCallback, useEffect, useRef, useState} from 'react'

import type {ErrorReport} from '#contract/errors.ts'
import {type FrameState, type LinkState, whoWaits} from '#model/frame.ts'
import {screens} from '#model/screens.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatDifference} from '#text/durations.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {ActiveConnectionProvider, useActiveConnectionOrNull, useActiveFrame, useApi, useManaged} from '#api/hooks.tsx'
import {ScrollbackProvider} from '#commands/Scrollback.tsx'
import {useUi} from '#state/ui.tsx'
import {Banner, SkeletonLines} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {useFromNow, Countdown, Time} from '#ui/Time.tsx'
import {connectionTitle} from '#ui/connection-words.ts'
import {gotoKeys} from '#ui/keys/key-map.ts'
import {KeyRegistry, useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {latePart} from '#ui/LatePart.tsx'
import {keepFocus} from '#ui/list-of-screen.ts'
import {TellingProvider, useIsToldInPlace} from '#ui/Telling.tsx'
import {skewInBanner} from '#ui/time.ts'
import {useTypedKept} from '#ui/use-typed-kept.ts'
import {BottomLine} from './BottomLine.tsx'
import styles from './Frame.module.css'
import {HostLost} from './HostLost.tsx'
import {NavBar} from './NavBar.tsx'
import {Overlays} from './Overlays.tsx'
import {t} from './text.ts'
import {useConnectionColour} from './theme.ts'
import {TopBar} from './TopBar.tsx'
import {useActiveChoice, useTenantOfAddress} from './use-active.ts'
import {useSetLocked} from './use-set-locked.ts'

const FirstStart = latePart(async () => (await import('../features/connections/FirstStartScreen.tsx')).FirstStartScreen)
const Drawer = latePart(async () => (await import('#commands/Drawer.tsx')).Drawer, {Around: InsteadOfDrawer})

export function Frame() {
	const choice = useActiveChoice()
	const connection = choice.connection ?? null
	useConnectionColour(connection?.colour ?? null)
	useFocusKept()
	useTypedKept()
	useTenantOfAddress(choice)
	useLeftTenant(connection?.id)
	useEffect(() => {
		document.title = connection === null ? 'Cordon' : `${connectionTitle(connection)} · Cordon`
	}, [connection])
	return (
		<ActiveConnectionProvider value={connection}>
			<KeyRegistry>
				<div className={styles.app}>
					<a className={styles.skip} href="#main" onClick={skip}>
						{t.skipScreen}
					</a>
					<TopBar />
					<NavBar />
					{/* The key remounts screens on a switch: no screen shows another connection's rows. */}
					<ScrollbackProvider key={connection?.id ?? 'none'}>
						<main id="main" tabIndex={-1} className={styles.main}>
							<Telling>
								<Banners />
								<Screen choice={choice.connection} />
							</Telling>
						</main>
					</ScrollbackProvider>
					<Drawer />
					<BottomLine />
				</div>
				<GlobalKeys />
				<Overlays choice={choice} />
				<HostLost />
			</KeyRegistry>
		</ActiveConnectionProvider>
	)
}

/** Its code is loaded with the frame: what failed is told once the drawer is wanted. */
function InsteadOfDrawer({children}: {children: ReactNode}) {
	const setDrawer = useUi(ui => ui.setDrawer)
	return (
		<Dialog title={t.commandLine} isOpen={useUi(ui => ui.isDrawerOpen)} onClose={() => setDrawer(false)}>
			{children}
		</Dialog>
	)
}

/** The command in the bottom line and the open dialogs belong to one tenant: they go with a switch. */
function useLeftTenant(id: string | undefined) {
	const leave = useUi(ui => ui.leaveTenant)
	useEffect(() => (id === undefined ? undefined : leave), [id, leave])
}

function Screen({choice}: {choice: ReturnType<typeof useActiveChoice>['connection']}) {
	// Of the screen that is drawn: the address is ahead of it while the next one loads.
	const path = useRouterState({select: ({matches, location}) => matches.at(-1)?.pathname ?? location.pathname})
	if (choice === undefined) {
		return (
			<div className={styles.waiting}>
				<SkeletonLines lines={6} label={t.connectingCordon} />
			</div>
		)
	}
	const needsConnection = screens.some(screen => screen.needsConnection === true && path.startsWith(screen.path))
	return (
		<div className={styles.screen}>
			<Suspense fallback={<div className={styles.waiting} />}>{choice === null && needsConnection ? <FirstStart /> : <Outlet />}</Suspense>
		</div>
	)
}

/** The router owns the address after `#`, so the anchor must not change it. */
function skip(event: {preventDefault(): void}) {
	event.preventDefault()
	document.getElementById('main')?.focus()
}

/**
 * Navigation removes the focused element. If the new screen focuses nothing, Tab would start at the top of the window:
 * so this focuses the screen's list, or else the screen.
 */
function useFocusKept() {
	const place = useRouterState({select: state => state.resolvedLocation?.href})
	const before = useRef(place)
	useEffect(() => {
		if (before.current === place) return undefined
		const isFirst = before.current === undefined
		before.current = place
		document.querySelector('nav [aria-current]')?.scrollIntoView({block: 'nearest'})
		// A screen takes the focus with its first frame.
		const wait = isFirst ? undefined : setTimeout(keepFocus, 50)
		return () => clearTimeout(wait)
	}, [place])
}

function GlobalKeys() {
	const {history} = useRouter()
	const connection = useActiveConnectionOrNull()
	const setOverlay = useUi(ui => ui.setOverlay)
	const setDrawer = useUi(ui => ui.setDrawer)
	const lock = useSetLocked()
	useKeys({
		'global.palette': () => setOverlay('palette'),
		'global.commandLine': () => setDrawer(true),
		'global.keys': () => setOverlay('keys'),
		'global.switch': () => setOverlay('connection'),
		'global.lock': connection !== null && (() => lock.set(true)),
		'global.back': () => history.back(),
		'global.forward': () => history.forward(),
		'global.undo': connection !== null && (() => setOverlay('undo')),
		'global.notices': () => setOverlay('notices')
	})
	return gotoKeys.map(line => <GotoKey key={line.id} {...line} />)
}

function GotoKey({id, path}: (typeof gotoKeys)[number]) {
	const navigate = useNavigate()
	useKey(`goto.${id}`, () => void navigate({to: path, search: {}}))
	return null
}

/** What the operator must know about the connection as a whole. */
function Banners() {
	const frame = useActiveFrame()
	// The connection is known before its frame: a banner that came later would move the whole screen.
	const connection = useActiveConnectionOrNull()
	return (
		<>
			<ManagedBanner />
			<SettingBanner />
			{connection?.sandbox === true && <SandboxBanner isStopped={connection.stopped === true} />}
			{frame?.connection.insecure === true && <InsecureBanner frame={frame} />}
			{frame?.link.kind === 'failing' && <FailingBanner frame={frame} link={frame.link} />}
			{frame !== null && <QuotaBanner frame={frame} />}
			<ClockBanner skewMs={frame?.clockSkewMs ?? null} />
		</>
	)
}

/** A broken file of the administrator locks more than usual, so every screen says so. */
function ManagedBanner() {
	const {problem} = useManaged()
	if (problem === null) return null
	return (
		<Banner tone="bad">
			<strong>{t.yourAdministrators}</strong> {problem} {t.everyConnection}
		</Banner>
	)
}

/** A setting that could not be saved reverts; the control that changed it says so. */
function SettingBanner() {
	const {queries} = useApi()
	const mutationKey = queries.settings.set.mutationKey()
	const last = useMutationState({filters: {mutationKey}, select: ({state}) => state}).at(-1)
	const [dismissed, setDismissed] = useState(0)
	if (last?.error == null || last.submittedAt <= dismissed) return null
	return (
		<Banner tone="bad" act={[t.dismiss, () => setDismissed(last.submittedAt)]}>
			{t.settingNot} {asSentence(last.error.message)}
		</Banner>
	)
}

function SandboxBanner({isStopped}: {isStopped: boolean}) {
	const navigate = useNavigate()
	const show = () => void navigate({to: '/connections', search: isStopped ? {} : {add: true}})
	return <Banner act={[isStopped ? t.connections : t.connectYourService, show]}>{isStopped ? t.sandboxStopped : t.sandboxSimulated}</Banner>
}

function InsecureBanner({frame}: {frame: FrameState}) {
	const navigate = useNavigate()
	const edit = () => void navigate({to: '/connections', search: {edit: frame.connection.id}})
	return (
		<Banner tone="bad" act={[t.changeTitle, edit]}>
			<strong>{t.trustAnyCertificate}</strong> {t.anyoneNetwork(frame.connection.name)}
		</Banner>
	)
}

function FailingBanner({frame, link}: {frame: FrameState; link: Extract<LinkState, {kind: 'failing'}>}) {
	const {queries} = useApi()
	const refresh = useMutation(queries.computers.refresh.mutationOptions())
	const isToldInPlace = useIsToldInPlace()
	const {error, since} = link
	if (error.code === 'rate_limited' || isToldInPlace) return null
	const retry = () => refresh.mutate({connection: frame.connection.id})
	const again = (
		<Button small onPress={retry} isDisabled={refresh.isPending}>
			{t.tryAgain}
		</Button>
	)
	return (
		<Banner tone="bad" action={isOfKey(error) ? <ReplaceKey connection={frame.connection.id} small /> : again}>
			{asSentence(error.message)} {t.since} <Time at={since} form="clock" />
			{frame.inventory.rows === 0 ? '.' : t.youViewing}
			{error.requestId !== undefined && !error.message.includes(error.requestId) && t.request(error.requestId)}
		</Banner>
	)
}

function isOfKey({code}: Pick<ErrorReport, 'code'>) {
	return code === 'unauthorized' || code === 'secret_unavailable'
}

function ReplaceKey({connection, small}: {connection: string; small: boolean}) {
	const navigate = useNavigate()
	return (
		<Button small={small} onPress={() => void navigate({to: '/connections', search: {edit: connection, replaceKey: true}})}>
			{t.replaceKey}
		</Button>
	)
}

/** Passes failures of the whole connection to screens that report them in their own place. */
function Telling({children}: {children: ReactNode}) {
	const frame = useActiveFrame()
	const cause = frame?.link.kind === 'failing' ? frame.link.error : null
	const connection = frame?.connection.id
	const remedyOf = useCallback(
		(error: Pick<ErrorReport, 'code'>) =>
			connection === undefined || !isOfKey(error) ? null : (small: boolean) => <ReplaceKey connection={connection} small={small} />,
		[connection]
	)
	return (
		<TellingProvider cause={cause} remedyOf={remedyOf}>
			{children}
		</TellingProvider>
	)
}

function QuotaBanner({frame: {quota}}: {frame: FrameState}) {
	const until = quota?.waitingUntil ?? null
	const waits = useFromNow(now => until !== null && Date.parse(until) > now)
	const who = quota && whoWaits(quota)
	if (!waits || until === null || quota === null || who === 'programs') return null
	if (who === 'background')
		return (
			<Banner tone="warning">
				{t.jobsReserved} <Time at={until} form="clock" /> {t.mostCommands}
			</Banner>
		)
	const {remaining} = quota
	return (
		<Banner tone="warning">
			{t.apiLimitReached} <Time at={until} form="clock" />
			{t.in} <Countdown to={until} />. {remaining > 0 ? t.reservedForReleases(counted(remaining, nouns.call)) : t.noCallsLeft}
		</Banner>
	)
}

function ClockBanner({skewMs}: {skewMs: number | null}) {
	if (skewMs === null || Math.abs(skewMs) < skewInBanner) return null
	const side = skewMs > 0 ? 'ahead of' : 'behind'
	return <Banner tone="warning">{t.computersClock(formatDifference(Math.abs(skewMs)), side)}</Banner>
}
