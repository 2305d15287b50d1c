import {useNavigate} from '@tanstack/react-router'
import {Fragment, type ReactNode} from 'react'

import type {Connection} from '#model/connection.ts'

import {useActiveConnectionOrNull, useActiveConnection, useActiveFrame} from '#api/hooks.tsx'
import {Palette} from '#commands/Palette.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useUi} from '#state/ui.tsx'
import {Button} from '#ui/Button.tsx'
import {ChoiceDialog, type Choice} from '#ui/ChoiceDialog.tsx'
import {connectionTitle, loudTitle, modeWords} from '#ui/connection-words.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {useKeysOf} from '#ui/keys/ChosenKeys.tsx'
import {latePart} from '#ui/LatePart.tsx'
import {keyEntries, selectionKeys, tableKeys, treeKeys, type KeyId} from '#ui/keys/key-map.ts'
import {useActiveKeys} from '#ui/keys/KeyRegistry.tsx'
import {spell} from '#ui/keys/match.ts'
import {isMac} from '#ui/platform.ts'
import {useSingleKeys} from '#ui/SingleKeys.tsx'
import styles from './Overlays.module.css'
import {NoticesDialog} from './NoticesDialog.tsx'
import {t} from './text.ts'
import type {ActiveChoice} from './use-active.ts'
import {useSetLocked} from './use-set-locked.ts'

const inDialog = {Around: NotLoaded}
const BulkOverlay = latePart(async () => (await import('#commands/jobs/BulkDialog.tsx')).BulkOverlay, inDialog)
const UndoList = latePart(async () => (await import('#commands/undo/UndoListDialog.tsx')).UndoListDialog, inDialog)
const CommandForm = latePart(async () => (await import('#commands/CommandForm.tsx')).CommandFormDialog, inDialog)

export function Overlays({choice}: {choice: ActiveChoice}) {
	const overlay = useUi(ui => ui.overlay)
	const form = useUi(ui => ui.form)
	const connection = useActiveConnectionOrNull()?.id
	const hasConnection = connection !== undefined
	const isBulk = useUi(ui => ui.bulk !== null) && hasConnection
	const setOverlay = useUi(ui => ui.setOverlay)
	const close = () => setOverlay(null)
	return (
		<>
			{overlay === 'keys' && <KeysDialog onClose={close} />}
			{overlay === 'notices' && <NoticesDialog onClose={close} />}
			{overlay === 'connection' && <SwitchDialog choice={choice} onClose={close} />}
			{overlay === 'mode' && <ModeDialog onClose={close} />}
			{overlay === 'palette' && <Palette onClose={close} />}
			<Fragment key={connection}>
				{isBulk && <BulkOverlay />}
				{overlay === 'undo' && hasConnection && <UndoList onClose={close} />}
				{form !== null && <CommandForm key={form.command} command={form.command} values={form.values} />}
			</Fragment>
		</>
	)
}

function NotLoaded({children}: {children: ReactNode}) {
	return (
		<Dialog title={t.dialogNotLoaded} onClose={useUi(ui => ui.leaveDialogs)}>
			{children}
		</Dialog>
	)
}

/** The connections of this profile; one is chosen for this window. */
function SwitchDialog({choice, onClose}: {choice: ActiveChoice; onClose: () => void}) {
	const current = choice.connection?.id
	return (
		<ChoiceDialog
			title={t.switchConnection}
			label={t.connections}
			details="under"
			choices={choice.all.map(connection => choiceOf(connection, connection.id === current))}
			onChoose={choice.choose}
			onClose={onClose}
		/>
	)
}

function choiceOf(connection: Connection, isCurrent: boolean): Choice {
	const {id, colour, readOnly, sandbox, url} = connection
	return {
		...{id, isCurrent, title: connectionTitle(connection)},
		...(isCurrent && {mark: ' (current)'}),
		detail: `${readOnly ? 'read-only · ' : ''}${sandbox ? 'made-up data' : url}`,
		swatch: `var(--connection-${colour})`
	}
}

function KeysDialog({onClose}: {onClose: () => void}) {
	const active = useActiveKeys()
	const letters = useSingleKeys()
	const mac = isMac()
	const keysOf = useKeysOf()
	const known = new Set<KeyId>([...active, ...keysOfTables(), ...keysOfTrees()])
	const shown = keyEntries.filter(([id]) => known.has(id))
	const sections = Map.groupBy(shown, ([, entry]) => entry.section)
	return (
		<Dialog title={t.keyboardShortcuts} onClose={onClose} size="large">
			<p className="soft">{t.shortcutsNever(letters ? t.changeShortcuts : t.singleLetters)}</p>
			{/* Arrow keys scroll it: nothing in it takes the focus by itself. */}
			<div className={styles.sections} tabIndex={0} role="region" aria-label={t.shortcuts}>
				{[...sections].map(([section, entries]) => (
					<section key={section} className={styles.section} aria-label={section}>
						<h3 className={styles.heading}>{section}</h3>
						<dl>
							{entries.map(([id, entry]) => (
								<Line key={id} title={entry.title} keys={keysOf(id)} mac={mac} />
							))}
						</dl>
					</section>
				))}
			</div>
		</Dialog>
	)
}

function Line({title, keys: all, mac}: {title: string; keys: readonly string[]; mac: boolean}) {
	return (
		<div className={styles.line}>
			<dt>{title}</dt>
			<dd className={styles.keys}>
				{all.map(keys => (
					<KeyCap key={keys} keys={spell(keys, mac)} />
				))}
			</dd>
		</div>
	)
}

function keysOfTrees() {
	const tree = document.querySelector('main [role="treegrid"]')
	if (tree === null) return []
	return tree.getAttribute('aria-multiselectable') === 'true' ? [...treeKeys, ...selectionKeys] : treeKeys
}

function keysOfTables() {
	const table = document.querySelector<HTMLElement>('main [role="grid"]')
	if (table === null) return []
	const {opens, peeks, acts} = table.dataset
	const has: {[Id in KeyId]?: string | undefined} = {'list.open': opens, 'list.menu': acts, 'list.peek': peeks}
	const own = tableKeys.filter(key => !(key in has) || has[key] !== undefined)
	return table.getAttribute('aria-multiselectable') === 'true' ? [...own, ...selectionKeys] : own
}

function ModeDialog({onClose}: {onClose: () => void}) {
	const connection = useActiveConnection()
	const mode = useActiveFrame()?.mode
	const navigate = useNavigate()
	const lock = useSetLocked()
	if (mode === undefined) return null
	const {word, meaning} = modeWords(mode)
	const edit = () => {
		onClose()
		void navigate({to: '/connections', search: {edit: connection.id}})
	}
	const isSetting = mode.kind === 'read_only' && mode.because === 'connection'
	const isManaged = mode.kind === 'read_only' && mode.because === 'managed'
	const locked = mode.kind === 'read_only' && mode.because === 'locked'
	const action = isManaged ? null : isSetting ? (
		<Button onPress={edit}>{t.editTheConnection}</Button>
	) : (
		<Button tone="primary" isDisabled={lock.isPending} onPress={() => lock.set(!locked, onClose)}>
			{locked ? t.allowChangesIn(loudTitle(connection)) : t.lockChanges}
		</Button>
	)
	return (
		<Dialog title={t.is(connection.name, word)} cancel cancelsFirst onClose={onClose} size="small" tone="connection" footer={action}>
			<Failure error={lock.error} />
			<p>{meaning}</p>
			{mode.kind === 'guarded' && <p>{t.lockingStops}</p>}
			{isSetting && <p>{t.readOnlySetting}</p>}
		</Dialog>
	)
}
