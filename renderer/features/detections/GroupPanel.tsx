import {useRouter} from '@tanstack/react-router'
import type {ReactNode} from 'react'

import type {DetectionCase, DetectionCaseDetail} from '#contract/detections.ts'
import {formatCount} from '#text/numbers.ts'
import {useConnected, useAsked} from '#api/hooks.tsx'
import {StartPlaybook} from '#commands/StartPlaybook.tsx'
import {useUi} from '#state/ui.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {EmptyState, Loaded} from '#ui/States.tsx'
import {Outcome, Severity} from '#ui/EventMarks.tsx'
import {Tag} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {KeyValue, type Fact, fact} from '#ui/Facts.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import styles from './detections.module.css'
import {statusTones} from './status.ts'
import {t} from './text.ts'

interface GroupPanelProps {
	/** The key of any of its events. */
	group: string
	onDecide: (group: DetectionCase) => void
	onClose: () => void
}

/** A group with its events, and everything that was done about it; local data only. */
export function GroupPanel({group, onDecide, onClose}: GroupPanelProps) {
	const {connection} = useConnected()
	const detail = useAsked(q => q.detections.detail, {input: {connection, key: group}})
	return (
		<SidePanel label={t.groupAtCursor} size="wide" onClose={onClose}>
			<Loaded of={detail} lines={10} empty={<EmptyState title={t.noGroup}>{t.noGroupWhy}</EmptyState>}>
				{data => <Parts detail={data} onDecide={onDecide} />}
			</Loaded>
		</SidePanel>
	)
}

interface PartsProps extends Pick<GroupPanelProps, 'onDecide'> {
	detail: DetectionCaseDetail
}

function Parts({detail, onDecide}: PartsProps) {
	const {title, severity, status, since, until, events, entries, jobs, runs} = detail
	return (
		<>
			<SidePanelHeader title={title} name={title}>
				<p className={styles.marks}>
					<Severity row={{severity}} /> <Tag tone={statusTones[status]}>{status}</Tag>
				</p>
				<SidePanelNote>
					{t.firstSeen} <Time at={since} focusable /> · {t.lastSeen} <Time at={until} focusable />
				</SidePanelNote>
			</SidePanelHeader>
			<Actions detail={detail} onDecide={onDecide} />
			<Card title={t.about}>
				<KeyValue facts={factsOf(detail)} />
			</Card>
			<Lines
				title={t.entriesOf}
				lines={entries.map(({id, at, message, operator}) => ({id, at, href: `/log?entry=${id}`, text: message, by: operator}))}
				empty={t.noEntries}
			/>
			<Lines title={t.jobsOf} lines={jobs.map(({id, title: text}) => ({id, text, href: `/jobs/${id}`}))} />
			<Lines title={t.runsOf} lines={runs.map(({id, title: text}) => ({id, text, href: `/playbooks/${id}`}))} />
			<Lines
				title={t.eventsOf}
				lines={events
					.toReversed()
					.map(({key, at, type, hostname, detection, outcome}) => ({
						...{id: key, at, href: eventPath(key), text: detection ?? type, by: hostname},
						mark: <Outcome row={{outcome}} />
					}))}
			/>
		</>
	)
}

function eventPath(key: string) {
	return `/events?span=all&event=${encodeURIComponent(JSON.stringify(key))}`
}

function Actions({detail, onDecide}: PartsProps) {
	const {history} = useRouter()
	const openBulk = useUi(ui => ui.openBulk)
	const {computers, suspect, events} = detail
	const guids = computers.map(({guid}) => guid)
	const last = events.findLast(({guid}) => guid !== null)
	const story = () => {
		const event = last?.detectionId ?? last?.id
		const of = event == null ? '' : `&event=${encodeURIComponent(JSON.stringify(event))}`
		if (last !== undefined) history.push(`/computers/${last.guid}?tab=trajectory${of}`)
	}
	const showEvents = () => history.push(eventPath(detail.keys.at(-1) ?? ''))
	useKeys({'detections.story': story, 'detections.events': showEvents})
	return (
		<SidePanelActions label={t.actions}>
			<Button tone="primary" onPress={() => onDecide(detail)} opens keys="o">
				{t.decide}
			</Button>
			{last !== undefined && (
				<Button onPress={story} keys="t">
					{t.showAttackStory}
				</Button>
			)}
			<Button onPress={showEvents} keys="Shift+E">
				{t.openEvents}
			</Button>
			{guids.length !== 0 && (
				<Button onPress={() => openBulk('isolate', guids)} opens>
					{t.isolateComputers}
				</Button>
			)}
			<StartPlaybook computers={guids} sha256={suspect} />
		</SidePanelActions>
	)
}

/** More are in the list of events. */
const shownComputers = 12
const shownHashes = 3

function factsOf({computers, hashes, owner, changedAt}: DetectionCaseDetail): readonly Fact[] {
	const rest = computers.length - shownComputers
	return [
		fact(t.owner, owner === '' ? t.none : owner),
		changedAt !== null && fact(t.changedAt, <Time at={changedAt} focusable />),
		fact(t.computers, <Names rest={rest} links={computers.slice(0, shownComputers).map(computerLink)} />),
		hashes.length !== 0 && fact(t.sha256, <Names rest={hashes.length - shownHashes} links={hashes.slice(0, shownHashes).map(hashLink)} />, 'mono')
	]
}

type NamedLink = readonly [href: string, words: string]

function computerLink({guid, hostname}: DetectionCaseDetail['computers'][number]): NamedLink {
	return [`/computers/${guid}`, hostname === '' ? guid : hostname]
}

function hashLink(hash: string): NamedLink {
	return [`/file-lists/hash/${hash}`, hash]
}

function Names({links, rest}: {links: readonly NamedLink[]; rest: number}) {
	return (
		<span className={styles.names}>
			{links.map(([href, words]) => (
				<Link key={href} href={href}>
					{words}
				</Link>
			))}
			{rest > 0 ? t.andMore(formatCount(rest)) : null}
		</span>
	)
}

interface Line {
	id: string
	href: string
	text: string
	at?: string
	by?: string
	mark?: ReactNode
}

interface LinesProps {
	title: string
	lines: readonly Line[]
	/** Without it, nothing is shown for none. */
	empty?: string
}

function Lines({title, lines, empty}: LinesProps) {
	if (lines.length === 0 && empty === undefined) return null
	return (
		<Card title={title} aside={formatCount(lines.length)}>
			{lines.length === 0 && <p className="dim">{empty}</p>}
			<ul className="unlisted">
				{lines.map(({id, href, text, at, by, mark}) => (
					<li key={id} className={styles.line}>
						{at !== undefined && <Time at={at} form="exact" />}
						<Link href={href} className={styles.text}>
							{text}
						</Link>
						{mark}
						{by === undefined || by === '' ? null : <span className="dim">{by}</span>}
					</li>
				))}
			</ul>
		</Card>
	)
}
