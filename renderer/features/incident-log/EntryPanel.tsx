import {isAboutEvidence, type LogEntry, type Pin} from '#model/incident.ts'
import {UndoButton} from '#commands/undo/UndoListDialog.tsx'
import {Button, CopyButton, Link} from '#ui/Button.tsx'
import {CodeView, type Fact, KeyValue, fact} from '#ui/Facts.tsx'
import {SidePanel, SidePanelActions} from '#ui/SidePanel.tsx'
import {LookTag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {surfaceWords, wordsOf} from './entry-words.ts'
import styles from './IncidentLogScreen.module.css'
import {ObjectLink} from './ObjectLink.tsx'
import {hashesOf, jobOf} from './places.ts'
import {lineBehind} from './replay.ts'
import type {IncidentLogSearch} from './search.ts'
import {t} from './text.ts'

interface EntryPanelProps {
	entry: LogEntry
	all: readonly LogEntry[]
	pin: Pin | null
	/** Note that the clock was set back before it. */
	setBack: string | null
	onClose: () => void
	onNote: () => void
	onPin: () => void
	onOnly: (condition: Partial<IncidentLogSearch>) => void
	/** Inserts a line into the command line without running it. */
	onAgain: (line: string) => void
}

/** One entry in full, and other entries about the same object. */
export function EntryPanel({entry, all, pin, setBack, onClose, onNote, onPin, onOnly, onAgain}: EntryPanelProps) {
	const line = lineBehind(entry, all)
	const job = jobOf(entry)
	return (
		<SidePanel label={t.entryCursor} onClose={onClose}>
			<div className={styles.panelHead}>
				<LookTag {...wordsOf(entry)} />
				<Time at={entry.at} form="exact" />
			</div>
			<p className={styles.message}>{entry.message}</p>
			<SidePanelActions>
				<Button onPress={onNote} opens>
					{t.noteAboutThis}
				</Button>
				{entry.command === null && job === null ? null : (
					<UndoButton key={entry.id} id={job === null ? (entry.about ?? entry.id) : `job:${job}`} />
				)}
				{isAboutEvidence(entry) ? null : (
					<Button onPress={onPin} opens>
						{pin === null ? t.pinAsEvidence : t.unpin}
					</Button>
				)}
			</SidePanelActions>
			{setBack !== null && <p className={styles.clock}>↶ {setBack}.</p>}
			{pin !== null && <Evidence pin={pin} />}
			<Details facts={factsOf(entry)} target={entry.target?.guid} person={entry.operator} hash={hashesOf(entry)[0]} onOnly={onOnly} />
			{entry.args === null || Object.keys(entry.args).length === 0 ? null : (
				<Card title={t.arguments}>
					<CodeView value={entry.args} label={t.argumentsAsJson} />
				</Card>
			)}
			{line !== null && (
				<Card title={t.asCommandLine} aside={<CopyButton text={`!${line}`} what="line" />}>
					<code className={styles.replay}>!{line}</code>
					<div className={styles.acts}>
						<Button small onPress={() => onAgain(line)}>
							{t.copyCommand}
						</Button>
					</div>
				</Card>
			)}
			{entry.data !== null && (
				<Card title={t.data}>
					<CodeView value={entry.data} label={t.dataAsJson} />
				</Card>
			)}
			<Related entry={entry} all={all} />
		</SidePanel>
	)
}

function Evidence({pin}: {pin: Pin}) {
	return (
		<p className={styles.evidence}>
			<span className="accent" aria-hidden>
				◆
			</span>{' '}
			{t.evidencePinned} <Time at={pin.at} form="exact" /> {t.byOf(pin.by, pin.reason === '' ? '.' : `: ${pin.reason}`)}
		</p>
	)
}

function Related({entry, all}: {entry: LogEntry; all: readonly LogEntry[]}) {
	const root = entry.about ?? entry.id
	const related = all.filter(other => other.id !== entry.id && (other.id === root || other.about === root || other.about === entry.id))
	if (related.length === 0) return null
	return (
		<Card title={t.relatedEntries}>
			<ul className={styles.related}>
				{related.map(other => (
					<li key={other.id}>
						<Time at={other.at} form="clock" /> <Link href={`/log?entry=${other.id}`}>{wordsOf(other).word}</Link>: {other.message}
					</li>
				))}
			</ul>
		</Card>
	)
}

interface DetailsProps {
	facts: readonly Fact[]
	/** GUID of the object. */
	target: string | undefined
	person: string
	hash?: string | undefined
	/** Filters for entries with this in common. */
	onOnly: (condition: Partial<IncidentLogSearch>) => void
}

/** Who, what, where and when, each linked to its object and to related entries. */
export function Details({facts, target, person, hash, onOnly}: DetailsProps) {
	return (
		<Card title={t.details}>
			<KeyValue facts={facts} />
			<div className={styles.acts}>
				{target !== undefined && (
					<Button small onPress={() => onOnly({target})}>
						{t.onlyThisObject}
					</Button>
				)}
				<Button small onPress={() => onOnly({person})}>
					{t.onlyThisPerson}
				</Button>
				{hash !== undefined && (
					<Button small onPress={() => onOnly({hash})}>
						{t.onlyThisHash}
					</Button>
				)}
			</div>
		</Card>
	)
}

function factsOf(entry: LogEntry) {
	const {target, command, connection, status, requestId, durationMs} = entry
	return [
		target !== null && fact('Target', <ObjectLink target={target} kind={command ?? 'computer'} />),
		target !== null && fact('GUID', target.guid, 'mono'),
		hashFact(entry),
		jobFact(entry),
		command !== null && fact('Command', command, 'mono'),
		connection !== null && fact('Connection', `${connection.name} (${connection.url})`),
		fact('By', entry.operator),
		fact('From', surfaceWords[entry.surface]),
		status !== null && fact('HTTP status', status),
		requestId !== null && fact('Request', requestId, 'mono'),
		durationMs !== null && fact('Duration', `${Math.round(durationMs)} ms`),
		fact('Entry', `${entry.seq} · ${entry.id}`, 'mono')
	]
}

/** The first few: a job may contain hundreds. */
function hashFact(entry: LogEntry) {
	const hashes = hashesOf(entry).slice(0, 3)
	if (hashes.length === 0) return null
	const links = hashes.map(hash => (
		<div key={hash}>
			<Link href={`/file-lists/hash/${hash}`}>{hash}</Link>
		</div>
	))
	return fact('Hash', links, 'mono')
}

function jobFact(entry: LogEntry) {
	const job = jobOf(entry)
	return job === null ? null : fact('Job', <Link href={`/jobs/${job}`}>{job}</Link>, 'mono')
}
