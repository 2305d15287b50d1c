import {Dialog} from '../ui/Dialog.tsx'
import {KeyCap} from '../ui/KeyCap.tsx'
import {keyEntries, selectionKeys, tableKeys, treeKeys, type KeyId} from '../ui/keys/key-map.ts'
import {useKeysOf} from '../ui/keys/ChosenKeys.tsx'
import {useActiveKeys} from '../ui/keys/KeyRegistry.tsx'
import {spell} from '../ui/keys/match.ts'
import {useSingleKeys} from '../ui/SingleKeys.tsx'
import styles from './KeysDialog.module.css'
import {t} from './text.ts'
import {isMac} from '../ui/platform.ts'

export function KeysDialog({onClose}: {onClose: () => void}) {
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
						<dl className={styles.list}>
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

interface LineProps {
	title: string
	keys: readonly string[]
	mac: boolean
}

function Line({title, keys: all, mac}: LineProps) {
	return (
		<div className={styles.line}>
			<dt className={styles.title}>{title}</dt>
			<dd className={styles.keys}>
				{all.map(keys => (
					<KeyCap key={keys} keys={spell(keys, mac)} />
				))}
			</dd>
		</div>
	)
}

function keysOfTrees(): readonly KeyId[] {
	const tree = document.querySelector('main [role="treegrid"]')
	if (tree === null) return []
	return tree.getAttribute('aria-multiselectable') === 'true' ? [...treeKeys, ...selectionKeys] : treeKeys
}

function keysOfTables(): readonly KeyId[] {
	const table = document.querySelector<HTMLElement>('main [role="grid"]')
	if (table === null) return []
	const {opens, peeks, acts} = table.dataset
	const without = new Set<KeyId>([
		...(opens === undefined ? ['list.open' as const] : []),
		...(acts === undefined ? ['list.menu' as const] : []),
		...(peeks === undefined ? ['list.peek' as const] : []),
	])
	const own = tableKeys.filter(key => !without.has(key))
	return table.getAttribute('aria-multiselectable') === 'true' ? [...own, ...selectionKeys] : own
}
