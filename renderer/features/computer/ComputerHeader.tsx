import {ExternalLink, RefreshCw, ShieldCheck} from 'lucide-react'

import type {ComputerDetail} from '#contract/contract.ts'
import {rolesInWords, type ComputerRow} from '#model/computer.ts'
import {isHeld} from '#model/isolation.ts'

import {useActiveConnection, useWriteRefusal, useAskedHere, useCall} from '#api/hooks.tsx'
import {LeaseLeft} from '#commands/guard/LeaseLeft.tsx'
import {StartPlaybook} from '#commands/StartPlaybook.tsx'
import {Banner} from '#ui/States.tsx'
import {Button, CopyButton, Link} from '#ui/Button.tsx'
import {Headline} from '#ui/Screen.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {WebConsole, computerPage, consoleAddress} from '#ui/WebConsole.tsx'
import {unseen} from '#ui/cx.ts'
import {faultsOf, groupWords, PolicyWords} from './AboutCard.tsx'
import styles from './ComputerScreen.module.css'
import type {ComputerSearch} from './search.ts'
import {countOf} from './VulnerabilitiesTab.tsx'
import {t} from './text.ts'

/** Name, location, and the buttons that open dialogs. */
export function ComputerHeader({detail, onAct}: {detail: ComputerDetail; onAct: (act: ComputerSearch['act']) => void}) {
	const {row} = detail
	const {id: connection, url} = useActiveConnection()
	const reading = useCall(client => client.computers.refreshOne({connection, guid: row.guid}))
	const held = isHeld(row.isolation)
	useKey('computer.refresh', () => reading.mutate(), !reading.isPending)
	return (
		<header className="head">
			<Headline list={t.computers} href="/computers" name={row.hostname}>
				{row.roles.length !== 0 && <Tag tone="accent">{rolesInWords(row)}</Tag>}
				<Protected because={detail.protectedBecause} />
				{row.compromised && <Tag tone="bad">{t.compromised}</Tag>}
				<HeldFor detail={detail} />
				{row.duplicate && <Tag tone="warn">{t.duplicateName}</Tag>}
				{!row.active && <Tag>{t.inactive}</Tag>}
				<Faulty detail={detail} />
				<Vulnerable guid={row.guid} />
			</Headline>
			<p>
				<span>
					{row.groupGuid === '' ? '' : <Link href={`/groups/${row.groupGuid}`}>{groupWords(detail)}</Link>} {t.policy(row.os)}{' '}
					<PolicyWords detail={detail} /> {t.seenTitle} <Time at={row.lastSeen} unknown="never" focusable />
				</span>
				<span className={styles.guid}>
					{row.guid} <CopyButton text={row.guid} what={t.guid} />
					<Link onPress={() => onAct('copy')}>{t.copyAsInline}</Link>
					<WebConsole server={url} page={computerPage(row.guid)} without={null}>
						{t.openWebConsole}
					</WebConsole>
				</span>
			</p>
			<Actions guid={row.guid} held={held} obstacle={obstacleOf(row)} isGone={row.vanishedAt !== null} onAct={onAct}>
				<Button onPress={() => reading.mutate()} isDisabled={reading.isPending} tooltip={t.refreshComputer} keys="r">
					<RefreshCw size={13} aria-hidden />
					{reading.isPending ? t.loadingNow : t.refresh}
				</Button>
			</Actions>
			{reading.error !== null && (
				<Banner tone="warning">
					{t.couldNotRefresh} {reading.error.message}
				</Banner>
			)}
		</header>
	)
}

/** Guard rules protect it: the reason as tooltip and for screen readers. */
function Protected({because}: {because: string | null}) {
	if (because === null) return null
	return (
		<span className={styles.protected} title={because}>
			<ShieldCheck size={13} aria-hidden /> {t.protected}
			<span className={unseen}>: {because}</span>
		</span>
	)
}

function Faulty({detail}: {detail: ComputerDetail}) {
	const count = faultsOf(detail)?.length ?? 0
	return count === 0 ? null : <Tag tone="warn">{count === 1 ? t.n1Fault : t.faults(count)}</Tag>
}

/** As queried in this session. */
function Vulnerable({guid}: {guid: string}) {
	const {data} = useAskedHere(q => q.vulnerabilities.stored, {guid})
	if (data === undefined || data === null || data.programs.length === 0) return null
	return <Tag tone="warn">{countOf(data)}</Tag>
}

/** Time until the lease expires. */
function HeldFor({detail: {row, lease}}: {detail: ComputerDetail}) {
	const held = isHeld(row.isolation)
	if (!held || lease === null || lease.endsAt === null) return null
	return (
		<span className="quiet">
			{t.leaseColon} <LeaseLeft lease={lease} />
		</span>
	)
}

interface ActionsProps {
	guid: string
	held: boolean
	/** Why it cannot be isolated; `null` when it can. */
	obstacle: string | null
	isGone: boolean
	onAct: (act: ComputerSearch['act']) => void
	children: React.ReactNode
}

const gone = 'The service no longer lists this computer.'

function obstacleOf(row: ComputerRow) {
	if (row.vanishedAt !== null) return gone
	return row.isolation === 'unavailable' ? 'The policy or the system of this computer does not allow isolation.' : null
}

/** The service's API v1 has no such call: links to the web console, if known. */
function Scan({guid}: {guid: string}) {
	const {url} = useActiveConnection()
	const address = consoleAddress(url, computerPage(guid))
	const onPress = () => window.open(address ?? '', '_blank', 'noopener,noreferrer')
	return (
		<Button reason={address === null ? t.apiV1Cannot : null} tooltip={t.apiV1CannotStart} onPress={onPress}>
			{t.scan} <ExternalLink size={12} aria-label={t.webConsole} role="img" />
		</Button>
	)
}

function Actions({guid, held, obstacle, isGone, onAct, children}: ActionsProps) {
	const refusal = useWriteRefusal()
	return (
		<div className="acts">
			{held ? (
				<Button tone="hold" lock={refusal} reason={isGone ? gone : null} onPress={() => onAct('release')} opens keys="u">
					{t.releaseMore}
				</Button>
			) : (
				<Button tone="hold" lock={refusal} reason={obstacle} onPress={() => onAct('isolate')} opens keys="i">
					{t.isolateMore}
				</Button>
			)}
			<Button lock={refusal} reason={isGone ? gone : null} onPress={() => onAct('move')} opens keys="m">
				{t.moveMore}
			</Button>
			<Scan guid={guid} />
			<StartPlaybook computers={[guid]} />
			<Button onPress={() => onAct('note')} opens keys="n">
				{t.noteMore}
			</Button>
			{children}
		</div>
	)
}
