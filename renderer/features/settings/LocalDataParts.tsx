import {useState} from 'react'

import type {LocalData, StoredCopy} from '#contract/local.ts'
import {counted, formatBytes, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useApi, useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Button} from '#ui/Button.tsx'
import {ErrorState, SkeletonLines} from '#ui/States.tsx'
import {TextField, Checkbox} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {Part} from './Part.tsx'
import styles from './Settings.module.css'
import {t} from './text.ts'
import {type CopyKind, copyKinds, copyTitles} from '#model/choices.ts'

type Connection = LocalData['connections'][number]

const fileTitles: Readonly<Record<LocalData['files'][number]['kind'], string>> = {
	log: 'Incident log: never deleted from here',
	profile: 'Connections, settings, API limit, instances',
	other: 'Everything else in the folder'
}

/** Data on this computer, its size, and deleting the copies of one connection. */
export function StoredPart() {
	const {data, error, refetch, isFetching} = useAsked(q => q.local.data)
	const [wiping, setWiping] = useState<Connection | null>(null)
	return (
		<Part title={t.whatIsStored} about={t.dataService}>
			{error !== null && <ErrorState error={error} title={t.couldNotCheck} onRetry={refetch} />}
			{data === undefined ? (
				error === null ? (
					<SkeletonLines lines={6} label={t.lookingFolder} />
				) : null
			) : (
				<>
					<div className="cluster">
						<span className={styles.path}>{data.folder}</span>
						<Button small tone="quiet" onPress={() => void refetch()}>
							{t.checkAgain}
						</Button>
					</div>
					<table className={styles.table} aria-busy={isFetching}>
						<thead>
							<tr>
								<th scope="col">{t.what}</th>
								<th scope="col" className={styles.number}>
									{t.records}
								</th>
								<th scope="col" className={styles.number}>
									{t.onTheDisk}
								</th>
							</tr>
						</thead>
						{data.connections.map(connection => (
							<ConnectionRows key={connection.id} connection={connection} onWipe={() => setWiping(connection)} />
						))}
						<tbody>
							{data.files.map(({kind, bytes, records}) => (
								<Row key={kind} title={fileTitles[kind]} bytes={bytes} records={records} />
							))}
						</tbody>
					</table>
				</>
			)}
			{wiping !== null && <WipeDialog connection={wiping} onClose={() => setWiping(null)} />}
		</Part>
	)
}

function ConnectionRows({connection, onWipe}: {connection: Connection; onWipe: () => void}) {
	const empty = connection.copies.every(({bytes}) => bytes === 0)
	return (
		<tbody>
			<tr>
				<th scope="rowgroup" colSpan={2}>
					{connection.name}
				</th>
				<td className={styles.number}>
					<Button small onPress={onWipe} reason={empty ? t.nothingStored : null} aria-label={t.deleteCopiesOf(connection.name)} opens>
						{t.delete}
					</Button>
				</td>
			</tr>
			{connection.copies.map(({kind, bytes, records}) => (
				<Row key={kind} title={copyTitles[kind]} bytes={bytes} records={records} />
			))}
		</tbody>
	)
}

function Row({title, bytes, records}: {title: string; bytes: number; records: number | null}) {
	return (
		<tr>
			<td>{title}</td>
			<td className={styles.number}>{records === null ? '' : formatCount(records)}</td>
			<td className={styles.number}>{formatBytes(bytes)}</td>
		</tr>
	)
}

const choices = [100_000, 500_000, 1_000_000, 2_000_000, 5_000_000]

export function KeptEventsPart() {
	const {keptEvents} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.eventsKept} sets={['keptEvents']} about={t.eachConnection}>
			<Select
				label={t.eventsKept}
				hideLabel
				value={String(keptEvents)}
				onChange={value => set({keptEvents: Number(value)})}
				options={[...new Set([...choices, keptEvents])]
					.toSorted((one, other) => one - other)
					.map(count => ({value: String(count), label: `${formatCount(count)} events`}))}
			/>
		</Part>
	)
}

/** Deletes local copies after the connection's name was typed. The host requires it too. */
function WipeDialog({connection, onClose}: {connection: LocalData['connections'][number]; onClose: () => void}) {
	const {queries, cache} = useApi()
	const [kinds, setKinds] = useState<readonly CopyKind[]>([])
	const [typed, setTyped] = useState('')
	const missing =
		kinds.length === 0 ? 'Choose what is to be deleted.' : typed.trim() === connection.name ? null : `Type ${connection.name} first.`
	const copyOf = (kind: CopyKind) => connection.copies.find(copy => copy.kind === kind) ?? {kind, bytes: 0, records: null}
	return (
		<ActDialog
			title={t.deleteLocal(connection.name)}
			role="alertdialog"
			cancelsFirst
			act={t.deleteThem}
			tone="danger"
			work={client => client.local.wipe({connection: connection.id, kinds: [...kinds], confirm: typed.trim()})}
			missing={missing}
			busy="Deleting…"
			onDone={data => {
				cache.setQueryData(queries.local.data.queryKey(), data)
				onClose()
			}}
			onClose={onClose}
		>
			<p>{t.nothingChanges}</p>
			{copyKinds.map(kind => (
				<Checkbox
					key={kind}
					isSelected={kinds.includes(kind)}
					onChange={on => setKinds(copyKinds.filter(each => (each === kind ? on : kinds.includes(each))))}
				>
					<CopyWords copy={copyOf(kind)} />
				</Checkbox>
			))}
			<TextField label={t.typeToConfirm(connection.name)} value={typed} onChange={setTyped} mono autoComplete="off" />
		</ActDialog>
	)
}

/** The data to be deleted, and the cost of loading it again. */
function CopyWords({copy}: {copy: StoredCopy}) {
	return (
		<>
			{copyTitles[copy.kind]} ({formatBytes(copy.bytes)}) <span className={styles.hint}>{rereadPrice(copy)}</span>
		</>
	)
}

/** Maximum records of one response (API reference, "Pagination"). */
const pageSize = 500

/** The cost of loading the data again: `about 4 calls`. Data loaded on demand costs nothing. */
export function rereadPrice({kind, records}: Pick<StoredCopy, 'kind' | 'records'>) {
	if (kind === 'trajectories') return 'reloaded when viewed: 1 call each'
	const calls = Math.max(1, Math.ceil((records ?? 0) / pageSize))
	if (records !== null) return `reload: about ${counted(calls, nouns.call)}`
	return kind === 'directory' ? 'reload: a few calls for the lists, 1 call each for details' : `reload: 1 call for ${formatCount(pageSize)}`
}
