import {useMutation} from '@tanstack/react-query'
import {useState} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import type {ListDifference} from '#contract/editor.ts'
import type {DraftRow, DraftState, HashSource, ListOperation} from '#model/list-draft.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useConnected, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, FileButton} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {Select} from '#ui/Select.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {useFileLists} from '../use-lists.ts'
import {describeRow, operationWords, signedCounts} from './draft-words.ts'
import styles from './Editor.module.css'
import {t} from './text.ts'
import {useDraftRows, type DraftChanges} from './use-draft.ts'

/** The calls of a commit, in order. Sends nothing. */
export function PreviewDialog({
	list,
	state,
	onCommit,
	onClose
}: {
	list: FileListRow
	state: DraftState
	onCommit: () => void
	onClose: () => void
}) {
	const rows = useDraftRows(list.guid, 'ready')
	const left = state.rows - state.ready
	return (
		<Dialog
			title={t.callsCommit}
			onClose={onClose}
			size="large"
			cancel={t.close}
			act={[t.commitMore, onCommit, state.ready === 0 ? t.noStagedRow : null]}
		>
			<div className="stack">
				<p>
					{t.oneEachHash(
						counted(state.ready, nouns.call),
						left === 0 ? '' : t.stagedNone(formatCount(left), formOf(left, ['row makes', 'rows make']))
					)}
				</p>
				<div className={styles.results}>
					<DataTable
						label={t.calls}
						source={rows}
						columns={callColumns(list.guid)}
						rowKey={({key}) => key}
						describe={describeRow}
						isBusy={rows.isFirstLoad}
						empty={<p className="padded">{t.noStagedRowReady}</p>}
					/>
				</div>
			</div>
		</Dialog>
	)
}

function callColumns(guid: string): readonly TableColumn<DraftRow>[] {
	return [
		{
			id: 'method',
			title: 'Method',
			width: 84,
			cell: ({operation}) => (
				<span className={styles.operation} data-operation={operation}>
					<b aria-hidden>{operationWords[operation].sign}</b> {operation === 'add' ? t.post : t.delete}
				</span>
			)
		},
		{id: 'path', title: 'Path', width: 380, look: 'mono', cell: ({key}) => <span title={key}>{t.v1FileLists(guid.slice(0, 8), key)}</span>},
		{id: 'note', title: 'Description', width: 140, cell: ({note, operation}) => (operation === 'add' ? note : '')}
	]
}

export function DiscardDialog({state, changes, onClose}: {state: DraftState; changes: DraftChanges; onClose: () => void}) {
	return (
		<ActDialog
			title={t.discardTheDraft}
			onClose={onClose}
			size="small"
			role="alertdialog"
			cancel={t.keepIt}
			cancelsFirst
			act={t.discardOf(counted(state.rows, nouns.row))}
			tone="danger"
			work={changes.discard}
			done="The draft was discarded"
		>
			<p>{t.stagedDropped(signedCounts(state.adds, state.removes), state.list.name)}</p>
		</ActDialog>
	)
}

const side = {onlyThere: 'add', onlyHere: 'remove'} as const satisfies Record<string, ListOperation>

/** Compares this list with a file or another list; differences can be staged. */
export function DifferenceDialog({list, changes, onClose}: {list: FileListRow; changes: DraftChanges; onClose: () => void}) {
	const {connection} = useConnected()
	const {items = []} = useFileLists()
	const announce = useAnnounce()
	const comparing = useCall((client, other: string | HashSource) =>
		client.editor.difference({...{connection, list: list.guid}, with: typeof other === 'string' ? {list: other} : {source: other}})
	)
	const {variables: other} = comparing
	const name = typeof other === 'string' ? (items.find(each => each.guid === other)?.name ?? other) : (other?.name ?? '')
	const staging = useMutation({
		mutationFn: ({hashes, operation}: {hashes: readonly string[]; operation: ListOperation}) =>
			changes.stage(operation, {name: `difference with ${name}`.slice(0, 300), text: hashes.join('\n')}),
		onSuccess: ({added}) => announce(`${formatCount(added)} staged`)
	})
	// Another list: what is said of a file is over.
	const [lists, setLists] = useState(0)
	return (
		<Dialog title={t.compareOf(list.name)} onClose={onClose} size="large" cancel={t.close}>
			<div className="stack">
				<Select
					label={t.withAnotherList}
					options={items.filter(each => each.guid !== list.guid).map(each => ({value: each.guid, label: each.name}))}
					value={typeof other === 'string' ? other : null}
					onChange={guid => {
						setLists(lists + 1)
						comparing.mutate(guid)
					}}
					placeholder={t.chooseAList}
				/>
				<div>
					<FileButton
						key={lists}
						label={t.fileCompare}
						onFile={async file => {
							comparing.reset()
							comparing.mutate({name: file.name.slice(0, 300), text: await file.text()})
						}}
					>
						{t.orWithAFile}
					</FileButton>
				</div>
				{comparing.isPending && <p role="status">{t.comparing}</p>}
				{comparing.data !== undefined && (
					<Difference
						difference={comparing.data}
						here={list.name}
						there={name}
						isStaging={staging.isPending}
						onStage={(hashes, operation) => staging.mutate({hashes, operation})}
					/>
				)}
				<Failure error={comparing.error} />
				<Failure error={staging.error} />
			</div>
		</Dialog>
	)
}

interface DifferenceProps {
	difference: ListDifference
	here: string
	there: string
	isStaging: boolean
	onStage: (hashes: readonly string[], operation: ListOperation) => void
}

const shown = 100

function Difference({difference, here, there, isStaging, onStage}: DifferenceProps) {
	const {both, uncertain} = difference
	return (
		<>
			<p role="status">
				{t.areOnBoth(formatCount(both))} {uncertain}
			</p>
			{(['onlyThere', 'onlyHere'] as const).map(which => {
				const hashes = difference[which]
				const operation = side[which]
				const where = which === 'onlyHere' ? here : there
				return (
					<section key={which} aria-label={t.onlyIn(where)} className="stack">
						<p className={operation === 'add' ? 'ok' : 'bad'}>{t.onlyInOf(operationWords[operation].sign, formatCount(hashes.length), where)}</p>
						{hashes.length !== 0 && (
							<>
								<ul className={styles.detail}>
									{hashes.slice(0, shown).map(hash => (
										<li key={hash} className="hashes wraps">
											{hash}
										</li>
									))}
									{hashes.length > shown && <li>{t.andMoreOf(formatCount(hashes.length - shown))}</li>}
								</ul>
								<div>
									<Button small onPress={() => onStage(hashes, operation)} reason={isStaging ? t.staging : uncertain}>
										{t.stageThemTo(operation, formatCount(hashes.length))}
									</Button>
								</div>
							</>
						)}
					</section>
				)
			})}
		</>
	)
}
