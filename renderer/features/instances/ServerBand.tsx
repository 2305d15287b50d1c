import {useNavigate} from '@tanstack/react-router'
import type {ReactNode} from 'react'

import type {CertificateStatus, ForwarderStatus} from '#contract/instances.ts'
import {firstVersionWithRoute, forwardKeys} from '#model/server-parameter.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatCount} from '#text/numbers.ts'

import {Banner, Skeleton} from '#ui/States.tsx'
import {Button, CopyButton, Link} from '#ui/Button.tsx'
import {useFromNow} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {GuardDialog} from './GuardDialog.tsx'
import type {InstancesSearch} from './search.ts'
import styles from './ServerBand.module.css'
import {t} from './text.ts'
import {useGuard, type Guard} from './use-guard.ts'
import {expiryOf, serverLooks} from './words.ts'

interface ServerBandProps {
	/** `undefined` during the first load. */
	server: ForwarderStatus | undefined
	show: (act: NonNullable<InstancesSearch['act']>) => void
}

/** The forwarding server in one line: state, address, reach, and certificate. */
export function ServerBand({server, show}: ServerBandProps) {
	const guard = useGuard()
	return (
		<section className={styles.wrap} aria-label={t.forwardingServer}>
			<dl className={styles.band}>
				<Cell title={t.forwardingServer} of={server}>
					{shown => <Power server={shown} guard={guard} onStop={() => show('stop')} />}
				</Cell>
				<Cell title={t.address} of={server} className={styles.wide}>
					{shown => <Address server={shown} />}
				</Cell>
				<Cell title={t.whoReach} of={server}>
					{shown => <Reach server={shown} onChange={() => show('reach')} />}
				</Cell>
				<Cell title={t.platformVersion} of={server} className={server?.hasRoute === false ? undefined : styles.extra}>
					{({settings}) => <span className={styles.value}>{settings.platformVersion}</span>}
				</Cell>
				<Cell title={t.certificate} of={server}>
					{({certificate}) => <Certificate certificate={certificate} onOpen={() => show('certificate')} />}
				</Cell>
			</dl>
			{server !== undefined && <Problems server={server} guard={guard} show={show} />}
			<GuardDialog guard={guard} verb={t.startForwarding} />
		</section>
	)
}

interface CellProps {
	title: string
	of: ForwarderStatus | undefined
	className?: string | undefined
	children: (server: ForwarderStatus) => ReactNode
}

function Cell({title, of: server, className, children}: CellProps) {
	return (
		<div className={cx(styles.cell, className)}>
			<dt className={styles.title}>{title}</dt>
			<dd className={styles.line}>{server === undefined ? <Skeleton /> : children(server)}</dd>
		</div>
	)
}

function Power({server, guard, onStop}: {server: ForwarderStatus; guard: Guard; onStop: () => void}) {
	const {shape, word, tone} = serverLooks[server.state]
	const start = useStart(guard)
	const {enabled} = server.settings
	const count = server.connections
	return (
		<>
			<span className={cx(styles.value, styles.state, tone === 'plain' ? 'soft' : tone)}>
				<span aria-hidden>{shape}</span> {word}
			</span>
			{enabled && server.state === 'off' ? (
				<span className="dim">{t.startsFirst}</span>
			) : enabled ? (
				<>
					<span className={cx('dim', styles.extra)} title={t.connectionsOf(formatCount(count))}>
						{t.conn(formatCount(count))}
					</span>
					<Link onPress={onStop}>{t.stopMore}</Link>
				</>
			) : (
				<Button small tone="primary" onPress={start} reason={guard.isPending ? t.starting : null}>
					{t.start}
				</Button>
			)}
		</>
	)
}

function useStart(guard: Guard) {
	return () => guard.run((instances, confirmation) => instances.parameters.set({key: forwardKeys.enabled, value: 'true', ...confirmation}))
}

function Address({server}: {server: ForwarderStatus}) {
	const [best, ...others] = server.origins
	if (best === undefined) {
		const {host, port} = server.settings.listen
		return <span className="dim">{t.wouldBe(host, port)}</span>
	}
	return (
		<>
			<span className={cx(styles.value, styles.mono)} title={server.origins.join('\n')}>
				{best}
			</span>
			<CopyButton text={best} what={t.addressServer} />
			{others.length !== 0 && (
				<span className={cx('dim', styles.extra)} title={others.join('\n')}>
					+{others.length}
				</span>
			)}
		</>
	)
}

function Reach({server, onChange}: {server: ForwarderStatus; onChange: () => void}) {
	const {lan} = server.settings
	return (
		<>
			<span className={cx(styles.value, lan && 'warn')}>{lan ? t.theNetwork : t.thisComputer}</span>
			<Link onPress={onChange} aria-label={t.changeWhoReach}>
				{t.changeMore}
			</Link>
		</>
	)
}

function Certificate({certificate, onOpen}: {certificate: CertificateStatus | null; onOpen: () => void}) {
	const expiry = useFromNow(now => (certificate === null ? '' : JSON.stringify(expiryOf(certificate, now))))
	// Written by the line above.
	const {text, tone} = JSON.parse(expiry === '' ? '{"text":"none yet","tone":"plain"}' : expiry) as ReturnType<typeof expiryOf>
	return (
		<>
			{certificate !== null && (
				<span className={cx(styles.value, styles.extra)} title={certificate.subject}>
					{certificate.kind === 'local' ? t.local : t.imported}
				</span>
			)}
			<span className={tone === 'plain' ? 'dim' : tone}>{text}</span>
			<Link onPress={onOpen} aria-label={t.showCertificate}>
				{t.show}
			</Link>
		</>
	)
}

function Problems({server, guard, show}: {server: ForwarderStatus; guard: Guard; show: ServerBandProps['show']}) {
	const {problem, state, hasRoute, settings, certificate} = server
	const navigate = useNavigate()
	const listenElsewhere = () => void navigate({to: '/instances/parameters', search: {key: forwardKeys.listen}})
	return (
		<>
			{guard.error !== null && (
				<Banner tone="bad">
					{t.couldNotStart} {guard.error.message}
				</Banner>
			)}
			{problem !== null && (
				<Banner tone={state === 'failed' ? 'bad' : 'warning'} act={[t.listenElsewhere, listenElsewhere]}>
					{state === 'failed' ? t.forwardingServerFailed : ''}
					{asSentence(problem)}
					{state === 'failed' ? t.cordonKeepsTrying : ''}
				</Banner>
			)}
			{!hasRoute && <Banner tone="warning">{t.everyRoute(settings.platformVersion, firstVersionWithRoute, forwardKeys.platformVersion)}</Banner>}
			{certificate !== null && certificate.problem !== null && (
				<Banner tone="warning" act={[t.certificateMore, () => show('certificate')]}>
					{asSentence(certificate.problem)}
				</Banner>
			)}
		</>
	)
}
