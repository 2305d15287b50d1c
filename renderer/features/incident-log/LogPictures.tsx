import {useMemo} from 'react'

import type {HostLane, WritesInStep} from '#contract/log.ts'
import type {EntryKind} from '#model/incident.ts'
import {largest, smallest} from '#shared/extremes.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked} from '#api/hooks.tsx'
import {Banner, Skeleton} from '#ui/States.tsx'
import {Histogram} from '#ui/chart/Histogram.tsx'
import type {Tone} from '#ui/chart/theme.ts'
import {type Lane, type LaneKind, TimeLanes} from '#ui/chart/TimeLanes.tsx'
import {kindWords, notConfirmed} from './entry-words.ts'
import styles from './IncidentLogScreen.module.css'
import type {IncidentLogSearch} from './search.ts'
import {t} from './text.ts'
import {useQuestion} from './use-log-entries.ts'

const unit = ['change', 'changes'] as const

const looks: readonly (readonly [EntryKind, LaneKind['tone'], LaneKind['shape']])[] = [
	['command.requested', 'dim', 'emptyCircle'],
	['command.succeeded', 'ok', 'circle'],
	['command.failed', 'bad', 'triangle'],
	['command.outcome_unknown', 'warn', 'emptyTriangle'],
	['command.observed', 'hold', 'rect'],
	['secret.revealed', 'warn', 'emptyRect'],
	['note', 'accent', 'emptyRect'],
	['evidence.pinned', 'accent', 'diamond'],
	['evidence.unpinned', 'dim', 'emptyDiamond'],
	['lease.changed', 'faint', 'rect']
]

/** Kinds of entries about hosts. */
export const laneKinds: readonly LaneKind[] = [
	...looks.map(([kind, tone, shape]) => ({name: kindWords[kind].word, tone, shape})),
	{name: notConfirmed.word, tone: 'bad', shape: 'rect'}
]

/** Hosts of the matching entries, and changes per person and hour. */
export function LogPictures({search, onChange}: {search: IncidentLogSearch; onChange: (next: Partial<IncidentLogSearch>) => void}) {
	// The time selected here remains within the chart.
	const input = useQuestion({...search, from: undefined, to: undefined})
	const {data, error} = useAsked(q => q.log.picture, {input, placeholderData: old => old})
	const lanes = useMemo(() => lanesOf(data?.lanes ?? []), [data])
	const bars = useMemo(() => barsOf(data?.writes ?? [], data?.stepHours ?? 1), [data])
	if (error !== null && data === undefined)
		return (
			<Banner tone="warning">
				{t.couldNotLoadCharts} {error.message}
			</Banner>
		)
	if (data === undefined) return <Skeleton width="100%" height={150} />
	const hidden = data.hosts - lanes.length
	const {from, to} = search
	return (
		<div className={styles.pictures}>
			<TimeLanes
				title={t.hostsOther}
				lanes={lanes}
				kinds={laneKinds}
				more={hidden > 0 ? t.furtherHosts(formatCount(hidden)) : ''}
				onMark={entry => onChange({entry})}
				onLane={target => onChange({target})}
				empty={t.noMatching}
				fileName="log-hosts"
			/>
			<Histogram
				title={t.changesByPerson}
				from={bars.from}
				stepMs={bars.stepMs}
				series={bars.series}
				unit={unit}
				brush={from === undefined || to === undefined ? null : {from, to}}
				onBrush={range => onChange({from: range?.from, to: range?.to})}
				empty={t.noChangesAmong}
				fileName="log-changes"
			/>
		</div>
	)
}

/** The log's sums in the form of charts. */
const hourMs = 3_600_000
const tones: readonly Tone[] = ['accent', 'hold', 'warn', 'ok', 'bad', 'dim']

/** Changes per person and time step; the most active first, those beyond the colours combined. */
export function barsOf(writes: readonly WritesInStep[], stepHours: number) {
	const times = writes.map(({hour}) => Date.parse(hour))
	const first = times.length === 0 ? 0 : smallest(times)
	const stepMs = stepHours * hourMs
	const steps = times.length === 0 ? 0 : Math.floor((largest(times) - first) / stepMs) + 1
	const people = peopleOf(writes)
	const series = people.map(({name, isOne}, index) => {
		const values = Array.from({length: steps}, () => 0)
		for (const {operator, hour, count} of writes) {
			const step = Math.floor((Date.parse(hour) - first) / stepMs)
			if (isOne ? operator === name : !people.some(each => each.isOne && each.name === operator)) values[step] = (values[step] ?? 0) + count
		}
		return {name, tone: tones[index] ?? 'dim', values}
	})
	return {from: new Date(first).toISOString(), stepMs, series}
}

function peopleOf(writes: readonly WritesInStep[]): readonly {name: string; isOne: boolean}[] {
	const sums = new Map<string, number>()
	for (const {operator, count} of writes) sums.set(operator, (sums.get(operator) ?? 0) + count)
	const sorted = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => ({name, isOne: true}))
	if (sorted.length <= tones.length) return sorted
	return [...sorted.slice(0, tones.length - 1), {name: 'others', isOne: false}]
}

export function lanesOf(lanes: readonly HostLane[]): readonly Lane[] {
	return lanes.map(({guid, label, entries, marks}) => ({
		key: guid,
		name: label,
		count: entries,
		marks: marks.map(({id, at, kind, missed}) => ({key: id, at, kind: (missed ? notConfirmed : kindWords[kind]).word}))
	}))
}
