import {useState} from 'react'

import type {TargetDefinition, TargetRow, TargetState} from '#model/target.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {Banner, Loaded} from '#ui/States.tsx'
import {Button, CopyButton} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './automation.module.css'
import {TargetDialog} from './TargetDialog.tsx'
import {t} from './text.ts'

const tones: Readonly<Record<TargetState['phase'], Tone>> = {off: 'plain', connecting: 'hold', live: 'ok', waiting: 'warn'}

type Open = {kind: 'edit'; row: TargetRow | null} | {kind: 'remove' | 'refused'; row: TargetRow}

export function Targets() {
	const [open, setOpen] = useState<Open | null>(null)
	const [made, setMade] = useState<{name: string; secret: string} | null>(null)
	const list = useAsked(q => q.targets.list)
	const test = useCall(async (client, {id, definition: {name}}: TargetRow) => ({name, ...(await client.targets.test({target: id}))}))
	const enable = useCall((client, {id, definition}: TargetRow) => client.targets.setEnabled({target: id, enabled: !definition.enabled}), {
		onSuccess: () => void list.refetch()
	})
	const done = () => {
		setOpen(null)
		void list.refetch()
	}
	return (
		<>
			{made !== null && (
				<Banner tone="warning">
					{t.secretShownOnce(made.name)}
					<span className={styles.token}>
						{made.secret} <CopyButton text={made.secret} what={t.signingSecret} />
					</span>
				</Banner>
			)}
			{test.data !== undefined && <Banner tone="info">{t.targetAccepted(test.data.name, test.data.ms)}</Banner>}
			<Failure error={test.error} />
			<Failure error={enable.error} />
			<Loaded of={list} lines={2} label={t.targets}>
				{rows => <Table rows={rows} onOpen={setOpen} onTest={test.mutate} onEnable={enable.mutate} />}
			</Loaded>
			<div className="fields">
				<Button onPress={() => setOpen({kind: 'edit', row: null})} opens>
					{t.addTargetMore}
				</Button>
			</div>
			{open?.kind === 'edit' && (
				<TargetDialog
					row={open.row}
					onClose={() => setOpen(null)}
					onSaved={({target, secret}) => {
						setMade(secret === null ? null : {name: target.definition.name, secret})
						done()
					}}
				/>
			)}
			{open?.kind === 'remove' && (
				<RemoveDialog
					title={t.removeNamed(open.row.definition.name)}
					act={t.removeTarget}
					means={t.removeTargetMeans}
					call={client => client.targets.remove({target: open.row.id})}
					onDone={() => void list.refetch()}
					onClose={() => setOpen(null)}
				/>
			)}
			{open?.kind === 'refused' && <RefusedDialog row={open.row} onClose={() => setOpen(null)} />}
		</>
	)
}

interface TableProps {
	rows: readonly TargetRow[]
	onOpen: (open: Open) => void
	onTest: (row: TargetRow) => void
	onEnable: (row: TargetRow) => void
}

function Table({rows, ...on}: TableProps) {
	if (rows.length === 0) return <p className="quiet">{t.noTargets}</p>
	return (
		<PlainTable columns={[t.name, t.state, t.backlog, t.sent, t.lastSent, t.refused, '']}>
			{rows.map(row => (
				<Line key={row.id} row={row} {...on} />
			))}
		</PlainTable>
	)
}

function Line({row, onOpen, onTest, onEnable}: Omit<TableProps, 'rows'> & {row: TargetRow}) {
	const {definition, state, backlog} = row
	const {name, enabled} = definition
	return tableRow(
		row.id,
		<>
			{name}
			<div className="quiet">{placeOf(definition.to)}</div>
			{state.problem !== null && <div className="quiet">{state.problem}</div>}
		</>,
		<Tag tone={tones[state.phase]}>{state.phase}</Tag>,
		formatCount(backlog),
		formatCount(state.sent),
		<Time at={state.lastSentAt} unknown={t.never} />,
		state.refused === 0 ? (
			0
		) : (
			<Button small onPress={() => onOpen({kind: 'refused', row})} opens>
				{t.showRefused(formatCount(state.refused))}
			</Button>
		),
		<div className="fields">
			<Button small onPress={() => onTest(row)} aria-label={t.testNamed(name)}>
				{t.test}
			</Button>
			<Button small onPress={() => onOpen({kind: 'edit', row})} opens aria-label={t.change(name)}>
				{t.changeMore}
			</Button>
			<Button small onPress={() => onEnable(row)} aria-label={enabled ? t.disableNamed(name) : t.enableNamed(name)}>
				{enabled ? t.disableTarget : t.enableTarget}
			</Button>
			<Button small onPress={() => onOpen({kind: 'remove', row})} opens aria-label={t.removeOf(name)}>
				{t.remove}
			</Button>
		</div>
	)
}

function placeOf(to: TargetDefinition['to']) {
	if (to.kind === 'file') return to.path
	return to.kind === 'webhook' ? to.url : `${to.host}:${to.port}`
}

const shownMost = 100

function RefusedDialog({row, onClose}: {row: TargetRow; onClose: () => void}) {
	const refused = useAsked(q => q.targets.refused, {input: {target: row.id, limit: shownMost}})
	return (
		<Dialog title={t.refusedBy(row.definition.name)} size="large" onClose={onClose} cancel={t.close}>
			<Loaded of={refused} lines={3} label={t.refused}>
				{rows => (
					<PlainTable>
						{rows.map(({at, source, id, reason}) =>
							tableRow(`${source} ${id}`, id, source === 'log' ? t.incidentLog : t.events, <Time at={at} />, reason)
						)}
					</PlainTable>
				)}
			</Loaded>
		</Dialog>
	)
}
