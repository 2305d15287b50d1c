import {useMemo} from 'react'

import type {Overview} from '#shared/contract/sight.ts'

import {Funnel} from '../../ui/chart/Funnel.tsx'
import {StackedBars} from '../../ui/chart/StackedBars.tsx'
import type {TimeRange} from '../../ui/chart/histogram-shapes.ts'
import {Treemap} from '../../ui/chart/Treemap.tsx'
import {t} from './text.ts'
import {pathDuring} from './use-chosen-time.ts'
import {useOpen} from './use-open.ts'
import type {Tone} from '../../ui/chart/theme.ts'

const computersUnit = ['computer', 'computers'] as const

/** Groups by size, shaded by their share of compromised computers. */
export function GroupsPicture({groups}: {readonly groups: Overview['groups']}) {
	const open = useOpen()
	const items = useMemo(
		() => groups.map(({guid, name, computers, compromised}) => ({key: guid, name, value: computers, marked: compromised})),
		[groups],
	)
	return (
		<Treemap
			title={t.groups}
			items={items}
			unit={computersUnit}
			mark="compromised"
			onOpen={({key}) => open(groups.find(({guid}) => guid === key)?.open ?? '/computers')}
			height={232}
			empty={t.noComputer}
			fileName="groups"
		/>
	)
}

const systemTones: readonly Tone[] = ['accent', 'hold', 'dim', 'ok', 'faint']

/** Connector versions, newest first, by family of operating systems. */
export function ConnectorsPicture({connectors}: {readonly connectors: Overview['connectors']}) {
	const open = useOpen()
	const {bars, series} = useMemo(() => barsOf(connectors), [connectors])
	return (
		<StackedBars
			title={t.agentVersions}
			bars={bars}
			series={series}
			what={t.version}
			unit={computersUnit}
			onOpen={(bar, index) => {
				const version = bars[bar]
				const os = series[index]?.name
				const found = connectors.find(each => each.version === version && each.os === os)
				open(found?.open ?? `/computers?filter=${encodeURIComponent(`connector="${version ?? ''}"`)}`)
			}}
			empty={t.noAgentKnown}
			fileName="connector-versions"
		/>
	)
}

function barsOf(connectors: Overview['connectors']) {
	const bars = [...new Set(connectors.map(({version}) => version))]
	const systems = [...new Set(connectors.map(({os}) => os))].toSorted((a, b) => orderOf(a) - orderOf(b) || a.localeCompare(b))
	const series = systems.map((os, index) => ({
		name: os,
		tone: systemTones[index % systemTones.length] ?? 'faint',
		values: bars.map(version => connectors.find(each => each.version === version && each.os === os)?.computers ?? 0),
	}))
	return {bars, series}
}

function orderOf(os: string): number {
	const place = ['Windows', 'Windows Server', 'macOS', 'Linux'].indexOf(os)
	return place < 0 ? 9 : place
}

interface IsolationPictureProps {
	readonly isolation: Overview['isolation']
	/** `null`: the last 7 days. */
	readonly range: TimeRange | null
}

/** Progress of the isolations requested by this console. */
export function IsolationPicture({isolation, range}: IsolationPictureProps) {
	const open = useOpen()
	const {requested, accepted, isolated} = isolation
	const steps = useMemo(
		() =>
			[
				{name: 'Requested', value: requested, tone: 'faint'},
				{name: 'Accepted', value: accepted, tone: 'accent'},
				{name: 'Isolated', value: isolated, tone: 'hold'},
			] as const,
		[requested, accepted, isolated],
	)
	const time = range === null ? 'the last 7 days' : 'the chosen time'
	const kinds = ['command.requested', 'command.succeeded', 'command.observed']
	return (
		<Funnel
			title={t.isolationsOf(time)}
			steps={steps}
			onOpen={step => open(pathDuring(`/log?kind=${kinds[step] ?? ''}&text=svc_put_computers_isolation`, range))}
			empty={t.noIsolation(time)}
			fileName="isolations"
		/>
	)
}
