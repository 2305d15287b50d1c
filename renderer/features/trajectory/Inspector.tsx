import {useRouter} from '@tanstack/react-router'
import {X} from 'lucide-react'
import {useState} from 'react'

import {formatLine} from '#shared/commands/parse.ts'
import type {CordonError} from '#contract/errors.ts'
import type {TrajectoryLane, TrajectoryPoint} from '#contract/insight.ts'
import {type Json, parseExact, stringifyExact} from '#model/exact-json.ts'
import {defanged} from '#model/indicator.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnection, useConnected, useAsked} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {HashLinks} from '#commands/HashLinks.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {useConsoleKey} from '#commands/use-console-key.ts'
import {Button, IconButton, useCopy, Link} from '#ui/Button.tsx'
import {CodeView, type Fact, KeyValue, fact} from '#ui/Facts.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {Loaded} from '#ui/States.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {computerPage, WebConsole} from '#ui/WebConsole.tsx'
import {badness, dispositionLooks, shapeLooks} from './looks.ts'
import {fileOf, isFile, type Origin, type Part} from './merge.ts'
import {t} from './text.ts'
import styles from './Trajectory.module.css'

interface InspectorProps {
	origin: Origin
	isOneOfSeveral: boolean
	query: string
	point: TrajectoryPoint
	lane: TrajectoryLane | undefined
	parent: string | null
	onClose: () => void
	/** Queries the service for this value: one call. */
	onNarrow: (query: string) => void
}

export function Inspector(props: InspectorProps) {
	const {origin, isOneOfSeveral, point, lane, parent, onClose} = props
	const {guid, hostname, query} = origin.part
	const {connection} = useConnected()
	const input = {connection, guid, query, index: origin.index}
	const record = useAsked(q => q.trajectory.record, {input})
	const {data} = record
	const look = dispositionLooks[point.disposition]
	return (
		<aside className={styles.inspector} aria-label={t.atTheCursor}>
			<div className={styles.inspectorHead}>
				<Tag tone={badness(point) > 4 ? 'bad' : look.tone}>
					<span aria-hidden>{shapeLooks[point.shape].sign}</span> {shapeLooks[point.shape].word}
					{point.disposition === 'none' ? '' : `, ${look.word}`}
				</Tag>
				<span className="spring" />
				<IconButton label={t.closeThePanel} small onPress={onClose}>
					<X size={14} />
				</IconButton>
			</div>
			<p className={styles.sentence}>{point.text}</p>
			<p className="note">
				<Time at={point.at} form="exact" /> {t.ns(point.nanoseconds.toLocaleString('en-US'))}
			</p>
			<CopyAs guid={guid} point={point} json={data?.json ?? null} />
			{isOneOfSeveral && (
				<p className="note">
					{t.on} <Link href={`/computers/${guid}?tab=trajectory`}>{hostname}</Link>
				</p>
			)}
			<Further point={point} part={origin.part} />
			{data !== undefined && data !== null && <InConsole guid={guid} json={data.json} />}
			<KeyValue facts={factsOf(point, lane, parent)} />
			<Narrow {...props} />
			<Loaded of={record} title={t.couldNotLoadRecord} lines={6} label={t.loadingTheRecord} empty={<p className="note">{t.recordNoLonger}</p>}>
				{found => <Fields json={found.json} />}
			</Loaded>
		</aside>
	)
}

function Fields({json}: {json: string}) {
	const [isOpen, setOpen] = useState(false)
	return (
		<>
			<section className={styles.fields}>
				<h3 className={styles.partTitle}>{t.allFields}</h3>
				<dl className={styles.fieldList}>
					{fieldsOf(json).map(({name, value}) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd>{value}</dd>
						</div>
					))}
				</dl>
			</section>
			<Disclosure title={t.recordAsJsonTitle} isOpen={isOpen} onToggle={setOpen}>
				<CodeView value={parseExact(json)} label={t.jsonRecord} />
			</Disclosure>
		</>
	)
}

function InConsole({guid, json}: {guid: string; json: string}) {
	const {url} = useActiveConnection()
	const page = computerPage(guid, fieldsOf(json).find(({name}) => name === 'id')?.value)
	useConsoleKey(page)
	return (
		<p className="note">
			<WebConsole server={url} page={page} without={null}>
				{t.eventWebConsole}
			</WebConsole>
		</p>
	)
}

function Narrow({point, query, onNarrow}: InspectorProps) {
	const {sha256, parent} = point
	const choices = [
		sha256 === null ? null : ({text: 'this file', value: sha256} as const),
		parent === null || fileOf(parent) === sha256 ? null : ({text: 'its parent', value: fileOf(parent)} as const)
	].filter(choice => choice !== null && choice.value !== query)
	return (
		<div className={styles.narrow}>
			{choices.map(
				choice =>
					choice && (
						<Button key={choice.text} small tooltip={t.queriesService} onPress={() => onNarrow(choice.value)}>
							{t.only(choice.text)}
						</Button>
					)
			)}
		</div>
	)
}

function factsOf(point: TrajectoryPoint, lane: TrajectoryLane | undefined, parent: string | null): readonly Fact[] {
	const names = lane === undefined || !isFile(lane.id) ? [] : [lane.label, ...lane.names]
	return [
		fact('Type', point.type),
		names.length > 1 && fact('Names', names.join(', ')),
		point.sha256 !== null && fact('SHA-256', point.sha256, 'mono'),
		point.parent !== null && fact('Parent', parent ?? `${fileOf(point.parent)} (has no lane here)`),
		point.detectionId !== null && fact('Detection', point.detectionId, 'mono'),
		point.severity !== 'none' && fact('Severity', point.severity)
	]
}

function CopyAs({guid, point, json}: {guid: string; point: TrajectoryPoint; json: string | null}) {
	const copy = useCopy()
	const {sha256} = point
	const forms: readonly (readonly [title: string, text: string | null])[] = [
		['sentence', `${point.at} ${point.text}`],
		['defanged', `${point.at} ${defanged(point.text)}`],
		['SHA-256', sha256],
		['JSON', json],
		['command', sha256 === null ? null : `!${formatLine('svc_get_computer_trajectory', {connector_guid: guid, q: sha256})}`]
	]
	return (
		<p className={styles.copyAs}>
			{t.copyAsInline}{' '}
			{forms.map(([title, text]) =>
				text === null ? null : (
					<Link key={title} onPress={() => copy(title, text)}>
						{title}
					</Link>
				)
			)}
		</p>
	)
}

interface RecordField {
	name: string
	value: string
}

/** Paths and values in the order of the record; a list of plain values is one line. */
export function fieldsOf(json: string): readonly RecordField[] {
	return walk(parseExact(json), '')
}

function walk(value: Json, path: string): readonly RecordField[] {
	if (typeof value !== 'object' || value === null) return [{name: path, value: plain(value)}]
	if (Array.isArray(value) && value.every(each => typeof each !== 'object' || each === null))
		return [{name: path, value: value.map((each: Json) => plain(each)).join(' ')}]
	return Object.entries(value).flatMap(([key, inner]: readonly [string, Json]) => walk(inner, path === '' ? key : `${path}.${key}`))
}

function plain(value: Json) {
	return typeof value === 'string' ? value : stringifyExact(value)
}

/** Actions from an event: other computers that saw it, lists with it, a note. */
function Further({point, part}: {point: TrajectoryPoint; part: Part}) {
	const {history} = useRouter()
	const [isNoting, setNoting] = useState(false)
	const subject = subjectOf(point)
	return (
		<>
			{subject !== null && <Prevalence key={subject} subject={subject} />}
			<div className={styles.narrow} role="group" aria-label={t.searchFurther}>
				{subject !== null && (
					<Button small onPress={() => history.push(`/search?q=${encodeURIComponent(subject)}`)}>
						{t.whoElseSaw}
					</Button>
				)}
				{point.sha256 !== null && <HashLinks sha256={point.sha256} small />}
				<Button small onPress={() => setNoting(true)} opens>
					{t.noteMore}
				</Button>
			</div>
			{isNoting && (
				<NoteDialog
					target={{guid: part.guid, label: part.hostname}}
					text={`${point.at} ${point.text}${point.sha256 === null ? '' : ` (${point.sha256})`}\n`}
					onClose={() => setNoting(false)}
				/>
			)}
		</>
	)
}

/** The subject of a query: the file, or the address of a connection. */
function subjectOf({sha256, shape, text}: TrajectoryPoint) {
	if (shape !== 'network') return sha256
	return /\b(?:\d{1,3}\.){3}\d{1,3}\b/.exec(text)?.[0] ?? sha256
}

function Prevalence({subject}: {subject: string}) {
	const {client, queries, cache, connection} = useConnected()
	const input = {connection, text: subject, kind: 'activity'} as const
	const {data} = useAsked(q => q.search.asked, {input})
	const [isAsking, setAsking] = useState(false)
	const [error, setError] = useState<CordonError | null>(null)
	const ask = async () => {
		setAsking(true)
		setError(null)
		try {
			const stream = await client.search.activity(input)
			// The first page has the number; the search continues from there on request.
			await stream.next()
			await stream.return?.()
			await cache.invalidateQueries({queryKey: queries.search.asked.queryKey({input})})
		} catch (thrown) {
			setError(asCordonError(thrown))
		} finally {
			setAsking(false)
		}
	}
	if (data !== null && data !== undefined)
		return (
			<p className="note" role="status">
				{t.queried(data.error === null ? t.seenOn(counted(data.total ?? data.computers.length, nouns.computer)) : data.error.message)}{' '}
				<Time at={data.askedAt} focusable />
			</p>
		)
	return (
		<p className="note">
			{error !== null && (
				<span className="fails" role="alert">
					{error.message}{' '}
				</span>
			)}
			<Button small onPress={() => void ask()} reason={isAsking ? t.queryInProgress : data === undefined ? t.lookingUp : null}>
				{isAsking ? t.queryingMore : t.checkPrevalence}
			</Button>
		</p>
	)
}
