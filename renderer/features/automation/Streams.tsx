import {useState} from 'react'

import {mostStreams, type StreamState} from '#model/event-stream.ts'
import {formatCount} from '#text/numbers.ts'
import {formatMeasured} from '#text/durations.ts'

import {useConnected, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {Banner, Unloaded} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {KeyValue, PlainTable, fact, tableRow} from '#ui/Facts.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './automation.module.css'
import {t} from './text.ts'

const tones: Readonly<Record<StreamState['phase'], Tone>> = {idle: 'plain', connecting: 'hold', live: 'ok', waiting: 'warn', stopped: 'bad'}

/** The connection's event stream, and on request all streams of the organisation. */
export function Streams() {
	const {connection} = useConnected()
	const own = useAsked(q => q.streams.own, {input: {connection}})
	const [isDeleting, setDeleting] = useState(false)
	const refetch = () => void own.refetch()
	const create = useCall(client => client.streams.create({connection, eventTypes: [], groups: []}), {onSuccess: refetch})
	const test = useCall(client => client.streams.list({connection}))
	const reconnect = useCall(client => client.streams.follow({connection}), {onSuccess: refetch})
	const {data} = own
	if (data === undefined) return <Unloaded of={own} lines={2} label={t.eventStream} />
	const isStopped = data?.state?.phase === 'stopped'
	return (
		<>
			{data === null ? <p className="quiet">{t.noStream}</p> : <Standing name={data.stream.name} state={data.state} />}
			<div className="fields">
				{data === null ? (
					<Button onPress={() => create.mutate()} reason={create.isPending ? t.creatingStream : null}>
						{t.createStream}
					</Button>
				) : (
					<Button onPress={() => setDeleting(true)} opens>
						{t.deleteStreamMore}
					</Button>
				)}
				<Button onPress={() => test.mutate()} reason={test.isPending ? t.checking : null} tooltip={t.asksService}>
					{t.testStream}
				</Button>
				{isStopped && <Button onPress={() => reconnect.mutate()}>{t.reconnect}</Button>}
			</div>
			<Failure error={create.error} />
			<Failure error={test.error} />
			<Failure error={reconnect.error} />
			<Failure error={own.error} />
			{test.data !== undefined && <Known all={test.data} />}
			{isDeleting && data !== null && (
				<RemoveDialog
					title={t.deleteStreamNamed(data.stream.name)}
					act={t.deleteStream}
					means={t.deleteStreamMeans}
					call={client => client.streams.delete({connection})}
					onDone={() => {
						test.reset()
						refetch()
					}}
					onClose={() => setDeleting(false)}
				/>
			)}
		</>
	)
}

function Standing({name, state}: {name: string; state: StreamState | null}) {
	if (state === null) return <p className="quiet">{t.notReadYet(name)}</p>
	const {phase, since, lastMessageAt, lagMs, received, added, redelivered, unreadable, reconnects, problem} = state
	return (
		<>
			<p className={styles.state}>
				<Tag tone={tones[phase]}>{phase}</Tag> {name} <span className="quiet">{t.since}</span> <Time at={since} focusable />
			</p>
			{problem !== null && (
				<Banner tone={phase === 'stopped' ? 'bad' : 'warning'}>
					{problem.message} {problem.fix}
				</Banner>
			)}
			<KeyValue
				facts={[
					fact(t.lastMessage, <Time at={lastMessageAt} unknown={t.none} focusable />),
					fact(t.lag, lagMs === null ? t.none : formatMeasured(lagMs)),
					fact(t.traffic, t.streamTraffic(formatCount(received), formatCount(added), formatCount(redelivered))),
					fact(t.reconnections, formatCount(reconnects)),
					unreadable !== 0 && fact(t.notEvents, formatCount(unreadable))
				]}
			/>
		</>
	)
}

function Known({all}: {all: readonly {id: number; name: string; own: boolean}[]}) {
	return (
		<>
			<Banner tone="info">{t.streamsOf(all.length, mostStreams)}</Banner>
			<PlainTable>{all.map(({id, name, own}) => tableRow(id, name, id, own ? t.readHere : ''))}</PlainTable>
		</>
	)
}
