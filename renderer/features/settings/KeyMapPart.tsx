import {type KeyboardEvent, useState} from 'react'

import {useSetSettings, useSettings} from '#api/hooks.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {type ChosenKeys, conflictOf, isFixed, keysOf, refusalOf, writtenKeys} from '#ui/keys/chosen-keys.ts'
import {keyEntries, type KeyEntry, type KeyId, keyMap} from '#ui/keys/key-map.ts'
import {spell} from '#ui/keys/match.ts'
import {isMac} from '#ui/platform.ts'
import {Folded} from './Folded.tsx'
import {Part} from './Part.tsx'
import styles from './Settings.module.css'
import {t} from './text.ts'

/** All keyboard shortcuts, which can be reassigned. The action of a shortcut is fixed. */
export function KeyMapPart() {
	const {keys: chosen} = useSettings()
	const set = useSetSettings()
	const [changing, setChanging] = useState<KeyId | null>(null)
	const sections = [...Map.groupBy(keyEntries, ([, entry]) => entry.section)]
	const count = Object.keys(chosen).length
	return (
		<Part title={t.keyboardShortcuts} sets={['keys']} isLong about={t.shortcutsMove}>
			{count !== 0 && <Button onPress={() => set({keys: {}})}>{t.resetShortcutsChanged(count)}</Button>}
			<div className={styles.wide}>
				{sections.map(([section, entries]) => (
					<Folded key={section} title={section}>
						{entries.map(([id, entry]) => (
							<KeyRow key={id} id={id} entry={entry} chosen={chosen} onChange={() => setChanging(id)} />
						))}
					</Folded>
				))}
			</div>
			{changing !== null && (
				<KeyDialog
					id={changing}
					chosen={chosen}
					onClose={() => setChanging(null)}
					onChoose={keys => {
						const {[changing]: _old, ...others} = chosen
						set({keys: keys === null ? others : {...others, [changing]: [keys]}})
						setChanging(null)
					}}
				/>
			)}
		</Part>
	)
}

interface KeyRowProps {
	id: KeyId
	entry: KeyEntry
	chosen: ChosenKeys
	onChange: () => void
}

function KeyRow({id, entry, chosen, onChange}: KeyRowProps) {
	const mac = isMac()
	const fixed = isFixed(id) ? 'Tables and charts always use this shortcut.' : null
	return (
		<div className={styles.keyRow}>
			<span>{entry.title}</span>
			<span className={styles.caps}>
				{keysOf(id, chosen).map(keys => (
					<KeyCap key={keys} keys={spell(keys, mac)} />
				))}
			</span>
			<Button small tone="quiet" reason={fixed} onPress={onChange} aria-label={t.changeShortcut(entry.title)} opens>
				{t.changeMore}
			</Button>
		</div>
	)
}

interface KeyDialogProps {
	id: KeyId
	chosen: ChosenKeys
	onClose: () => void
	/** `null` restores the default keys. */
	onChoose: (keys: string | null) => void
}

/** Takes the next pressed key. Tab and Escape keep working, so that nobody is trapped. */
function KeyDialog({id, chosen, onClose, onChoose}: KeyDialogProps) {
	const [keys, setKeys] = useState<string | null>(null)
	const mac = isMac()
	const conflict = keys === null ? null : conflictOf(id, keys, chosen)
	const problem =
		keys === null ? 'Press a key first.' : (refusalOf(keys) ?? (conflict === null ? null : `It belongs to “${keyMap[conflict].title}” already.`))
	const press = (event: KeyboardEvent) => {
		const pressed = writtenKeys({key: event.key, ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey, shift: event.shiftKey})
		if (pressed === null || ['Tab', 'Shift+Tab', 'Escape'].includes(pressed)) return
		event.preventDefault()
		event.stopPropagation()
		setKeys(pressed)
	}
	return (
		<Dialog
			title={t.shortcutFor(keyMap[id].title)}
			size="small"
			cancel
			onClose={onClose}
			footer={chosen[id] !== undefined && <Button onPress={() => onChoose(null)}>{t.defaultShortcut}</Button>}
			act={[t.doUseThisShortcut, () => (keys === null ? undefined : onChoose(keys)), problem]}
		>
			<div className="stack">
				<p>{t.default(keyMap[id].section, keyMap[id].keys.map(usual => spell(usual, mac)).join(' or '))}</p>
				{/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it takes the key that is pressed */}
				<div
					className={styles.catch}
					role="application"
					aria-label={t.pressNewShortcut}
					tabIndex={0}
					ref={element => element?.focus()}
					onKeyDown={press}
				>
					{keys === null ? t.pressNewShortcutTitle : <KeyCap keys={spell(keys, mac)} />}
				</div>
				{keys !== null && problem !== null && <Banner tone="warning">{problem}</Banner>}
			</div>
		</Dialog>
	)
}
