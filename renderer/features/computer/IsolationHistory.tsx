import type {EventRow} from '#contract/events.ts'
import {isMissed, type LogEntry} from '#model/incident.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {useFromNow, Time} from '#ui/Time.tsx'
import {Loaded, Unloaded} from '#ui/States.tsx'
import {LookTag, type Tone} from '#ui/Tag.tsx'
import {Card} from '#ui/Screen.tsx'
import styles from './IsolationHistory.module.css'
import {t} from './text.ts'

const mostEvents = 200

/** Past isolations and their users, from this profile's log and stored events. */
export function IsolationHistory({guid, entries}: {guid: string; entries: readonly LogEntry[]}) {
	const stored = useAskedHere(q => q.events.query, {filter: `guid=${guid} type:isolation`, offset: 0, limit: mostEvents})
	const steps = isolationSteps(entries, stored.data?.rows ?? [])
	const spans = isolationSpans(steps)
	return (
		<Card title={t.isolationHistory} aside={t.logStoredEvents}>
			{steps.length === 0 ? (
				<Loaded of={stored} lines={1}>
					{() => <p className="note">{t.noIsolations}</p>}
				</Loaded>
			) : (
				<>
					{stored.data === undefined && <Unloaded of={stored} lines={1} />}
					<Spans spans={spans} first={steps.at(-1)?.at ?? ''} />
					<ol className={styles.steps} aria-label={t.isolationHistory}>
						{steps.map(step => (
							<li key={`${step.source} ${step.key}`} className={styles.step}>
								<Time at={step.at} form="exact" />
								<span>
									<LookTag shape={signOf(step)} {...looks[step.kind]} />
								</span>
								<span className="wraps">{step.text}</span>
								<span className="dim">{step.who}</span>
							</li>
						))}
					</ol>
				</>
			)}
		</Card>
	)
}

const looks: Readonly<Record<IsolationStep['kind'], {word: string; tone: Tone}>> = {
	asked: {word: 'requested', tone: 'plain'},
	accepted: {word: 'accepted', tone: 'accent'},
	observed: {word: 'confirmed', tone: 'hold'},
	failed: {word: 'failed', tone: 'bad'},
	unknown: {word: 'outcome unknown', tone: 'warn'},
	revealed: {word: 'code revealed', tone: 'warn'}
}

function signOf({kind, way}: IsolationStep) {
	if (kind === 'observed') return way === 'isolate' ? '●' : '○'
	if (kind === 'failed') return '✖'
	if (kind === 'unknown') return '?'
	return way === 'release' ? '◕' : way === 'isolate' ? '◔' : '◉'
}

/** The same as a bar over time; the list has it in words. */
function Spans({spans, first}: {spans: readonly IsolationSpan[]; first: string}) {
	const now = useFromNow(time => Math.floor(time / 60_000) * 60_000)
	const begin = Date.parse(first)
	const length = Math.max(1, now - begin)
	const share = (at: string | null) => Math.min(1, Math.max(0, ((at === null ? now : Date.parse(at)) - begin) / length))
	return (
		<div className={styles.bar} aria-hidden>
			{spans.map(({from, to}) => (
				<span
					key={from}
					className={styles.held}
					style={{left: `${share(from) * 100}%`, width: `${Math.max(0.4, (share(to) - share(from)) * 100)}%`}}
				/>
			))}
		</div>
	)
}

/** Steps of a computer's isolation, from this profile's log and stored events: pure. */
interface IsolationStep {
	key: string
	at: string
	kind: 'asked' | 'accepted' | 'observed' | 'failed' | 'unknown' | 'revealed'
	/** Direction; `null` for neither. */
	way: 'isolate' | 'release' | null
	text: string
	who: string
	source: 'log' | 'event'
}

const ways: Readonly<Record<string, 'isolate' | 'release'>> = {svc_put_computers_isolation: 'isolate', svc_delete_computers_isolation: 'release'}

/** Newest first. */
export function isolationSteps(entries: readonly LogEntry[], events: readonly EventRow[]): readonly IsolationStep[] {
	return [...entries.flatMap(stepOfEntry), ...events.flatMap(stepOfEvent)].toSorted((one, other) =>
		one.at < other.at ? 1 : one.at > other.at ? -1 : 0
	)
}

const kinds: Readonly<Partial<Record<LogEntry['kind'], IsolationStep['kind']>>> = {
	'command.requested': 'asked',
	'command.succeeded': 'accepted',
	'command.observed': 'observed',
	'command.failed': 'failed',
	'command.outcome_unknown': 'unknown'
}

function stepOfEntry(entry: LogEntry): readonly IsolationStep[] {
	const common = {key: entry.id, at: entry.at, who: entry.operator, source: 'log'} as const
	if (entry.kind === 'secret.revealed') return [{...common, kind: 'revealed', way: null, text: entry.message}]
	const way = ways[entry.command ?? '']
	const kind = isMissed(entry) ? 'failed' : kinds[entry.kind]
	if (way === undefined || kind === undefined) return []
	const comment = entry.args?.['comment']
	const reason = kind === 'asked' && typeof comment === 'string' && comment !== '' ? `: ${comment}` : ''
	return [{...common, kind, way, text: `${reason === '' ? entry.message : entry.message.replace(/\.$/, '')}${reason}`}]
}

function stepOfEvent({key, at, type}: EventRow): readonly IsolationStep[] {
	if (!/isolation/i.test(type)) return []
	const isFailed = /fail/i.test(type)
	const way = /stop/i.test(type) ? 'release' : 'isolate'
	return [{key, at, kind: isFailed ? 'failed' : 'observed', way, text: type, who: 'the service', source: 'event'}]
}

interface IsolationSpan {
	from: string
	/** `null`: it continues. */
	to: string | null
}

/** Observed isolation periods, oldest first: from an observed isolation to the next observed release. */
export function isolationSpans(steps: readonly IsolationStep[]): readonly IsolationSpan[] {
	const spans: IsolationSpan[] = []
	let from: string | null = null
	for (const {kind, way, at} of steps.toReversed()) {
		if (kind !== 'observed') continue
		if (way === 'isolate') from ??= at
		else if (from !== null) {
			spans.push({from, to: at})
			from = null
		}
	}
	return from === null ? spans : [...spans, {from, to: null}]
}
