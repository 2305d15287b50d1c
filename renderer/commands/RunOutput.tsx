import {useNavigate} from '@tanstack/react-router'
import {useMemo, useState} from 'react'

import type {KnownCommand} from '#shared/commands/parse.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import type {CordonError} from '#contract/errors.ts'
import {recordsOf, tableOf, valueAt} from '#shared/commands/table.ts'
import {formatCount} from '#text/numbers.ts'

import {Button, Link} from '#ui/Button.tsx'
import {CodeView, KeyValue, type Fact, fact} from '#ui/Facts.tsx'
import {ErrorState} from '#ui/States.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tabs} from '#ui/Screen.tsx'
import styles from './RunOutput.module.css'
import {t} from './text.ts'
import type {RunState} from './use-run.ts'

/** A run's outcome: its table, the raw records, and the sentence with its facts. */
export function RunOutput({spec, state}: {spec: KnownCommand; state: Extract<RunState, {kind: 'done' | 'failed'}>}) {
	const [tab, setTab] = useState('table')
	if (state.kind === 'failed') return <ErrorState error={state.error} title={failureTitle(state.error)} />
	const {result} = state
	const hasTable = spec.result.columns.length > 0 && recordsOf(result.data).length > 0
	const tabs = [
		...(hasTable ? [{id: 'table', title: 'Table', content: <ResultTable spec={spec} result={result} />}] : []),
		{id: 'raw', title: 'JSON', content: <Raw data={result.data} />},
		{id: 'message', title: 'Message', content: <Message result={result} />}
	]
	return (
		<div className={styles.result}>
			<p className={styles.message} role="status">
				{result.message}
			</p>
			<Tabs label={t.viewsResult} tabs={tabs} selected={hasTable ? tab : tab === 'table' ? 'message' : tab} onSelect={setTab} />
		</div>
	)
}

/** An operator who stopped the run knows that it did not fail. */
function failureTitle({code}: CordonError) {
	return code === 'cancelled' ? 'The command was stopped' : 'The command failed'
}

interface Line {
	index: number
	cells: readonly string[]
	computer: string | null
}

function ResultTable({spec, result}: {spec: KnownCommand; result: CommandResult}) {
	const navigate = useNavigate()
	const {columns, lines} = useMemo(() => tableParts(spec, result), [spec, result])
	return (
		<div className={styles.table}>
			<DataTable
				label={spec.title}
				source={lines}
				columns={columns}
				rowKey={line => String(line.index)}
				describe={line => line.cells.join(', ')}
				onOpen={line => {
					if (line.computer !== null) void navigate({to: '/computers/$guid', params: {guid: line.computer}})
				}}
			/>
		</div>
	)
}

function tableParts(spec: KnownCommand, result: CommandResult): {columns: readonly TableColumn<Line>[]; lines: readonly Line[]} {
	const table = tableOf(spec.result, result.data)
	const records = recordsOf(result.data)
	const lines = table.rows.map((cells, index) => ({index, cells, computer: guidOf(records[index])}))
	const columns = table.columns.map((title, index): TableColumn<Line> => ({
		id: `${index}`,
		title,
		width: widthOf(
			lines.map(line => line.cells[index] ?? ''),
			index === 0 ? boldLetter : letter
		),
		look: index === 0 ? 'name' : /guid|id|sha-256|address/i.test(title) ? 'mono' : 'plain',
		cell: line => line.cells[index] ?? ''
	}))
	return {columns, lines}
}

function guidOf(record: unknown) {
	const guid = valueAt(record, 'connector_guid')
	return typeof guid === 'string' ? guid : null
}

/** Pixels per letter, on the generous side. */
const letter = 7.4
const boldLetter = 9

/** Pixels for the longest of the first texts, within bounds. */
function widthOf(texts: readonly string[], perLetter: number) {
	const longest = Math.max(8, ...texts.slice(0, 100).map(text => text.length))
	return Math.round(Math.min(320, 28 + longest * perLetter))
}

/** Laying out more records as text would freeze the page for seconds. */
const mostRaw = 200

function Raw({data}: {data: unknown}) {
	const [from, setFrom] = useState(0)
	if (!Array.isArray(data) || data.length <= mostRaw) return <CodeView value={data} label={t.recordsAsReceived} />
	const to = Math.min(data.length, from + mostRaw)
	return (
		<>
			<div className={styles.cut}>
				<span role="status">{t.recordsToOf(formatCount(from + 1), formatCount(to), formatCount(data.length))}</span>
				<Button small onPress={() => setFrom(Math.max(0, from - mostRaw))} reason={from === 0 ? t.firstPage : null}>
					{t.previousRecords}
				</Button>
				<Button small onPress={() => setFrom(to)} reason={to === data.length ? t.lastPage : null}>
					{t.nextRecords}
				</Button>
			</div>
			<CodeView value={data.slice(from, to)} label={t.recordsAsReceived} />
		</>
	)
}

function Message({result}: {result: CommandResult}) {
	const facts: Fact[] = [
		fact('Duration', `${formatCount(result.durationMs)} ms`),
		result.total !== undefined && fact('At the service', `${formatCount(result.total)} records`),
		result.missing !== undefined && result.missing.length !== 0 && fact('Missing pages', `from ${result.missing.map(formatCount).join(', ')}`),
		result.matches !== undefined && fact('In that state', result.matches ? 'yes' : 'no'),
		result.status !== undefined && fact('Status', String(result.status)),
		result.requestId !== undefined && fact('Request', result.requestId, 'mono'),
		fact('Log entry', <Link href={`/log?entry=${encodeURIComponent(JSON.stringify(result.entry))}`}>{result.entry}</Link>, 'mono')
	]
	return (
		<div className={styles.facts}>
			<KeyValue facts={facts} />
		</div>
	)
}
