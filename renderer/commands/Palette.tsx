import {useNavigate, useRouter} from '@tanstack/react-router'
import {Search} from 'lucide-react'
import {type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState} from 'react'

import {computerSorts} from '#shared/model/choices.ts'
import type {SavedView} from '#shared/model/saved-view.ts'
import {useActiveConnectionOrNull} from '../api/active.tsx'
import {type BulkKind, pickedGroups, type UiState, useUi} from '../state/ui.tsx'
import {BrowserModal} from '../ui/BrowserModal.tsx'
import {cx} from '../ui/cx.ts'
import {KeyCap} from '../ui/KeyCap.tsx'
import {useRunKey} from '../ui/keys/KeyRegistry.tsx'
import {spell} from '../ui/keys/match.ts'
import {isMac} from '../ui/platform.ts'
import type {PaletteAction, PaletteItem} from './palette-item.ts'
import styles from './Palette.module.css'
import {t} from './text.ts'
import {usePaletteItems} from './use-palette-items.ts'

/** Search over objects, screens and commands. A choice opens something and never changes anything. */
export function Palette({onClose}: {readonly onClose: () => void}) {
	const [text, setText] = useState('')
	const [picked, setPicked] = useState(0)
	const {items, waiting} = usePaletteItems(text)
	const act = useAct(onClose)
	const id = useId()
	const at = Math.min(picked, items.length - 1)
	const enter = useEnter(waiting, () => {
		const item = items[at]
		if (item !== undefined) act(item.action)
	})
	const press = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return
		if (event.key === 'ArrowDown') setPicked(items.length === 0 ? 0 : (at + 1) % items.length)
		else if (event.key === 'ArrowUp') setPicked(items.length === 0 ? 0 : (at - 1 + items.length) % items.length)
		else if (event.key === 'Enter') enter.press()
		else if (event.key !== 'Tab') return
		// Only the field takes focus here, so Tab stays in it.
		event.preventDefault()
	}
	return (
		<BrowserModal label={t.searchAndCommands} onClose={onClose} className={styles.scrim}>
			<div className={styles.modal}>
				<div className={styles.box}>
					<Search size={16} aria-hidden="true" />
					<input
						className={styles.input}
						role="combobox"
						aria-label={t.searchComputers}
						aria-autocomplete="list"
						aria-expanded={items.length > 0}
						aria-controls={`${id}-list`}
						{...(items.length === 0 ? {} : {'aria-activedescendant': `${id}-list-${at}`})}
						placeholder={t.searchComputersGroups}
						autoComplete="off"
						spellCheck={false}
						value={text}
						onChange={event => {
							setText(event.target.value)
							setPicked(0)
							enter.forget()
						}}
						onKeyDown={press}
					/>
				</div>
				<PaletteList id={`${id}-list`} items={items} picked={at} onTake={item => act(item.action)} />
			</div>
		</BrowserModal>
	)
}

/**
 * Enter takes the first result for the present text and waits for it, so that a fast hand does not get the second best.
 * A second Enter takes what is there.
 */
function useEnter(waiting: boolean, take: () => void): {readonly press: () => void; readonly forget: () => void} {
	const [pressed, setPressed] = useState(false)
	const onAnswer = useEffectEvent(() => {
		setPressed(false)
		take()
	})
	useEffect(() => {
		if (pressed && !waiting) onAnswer()
	}, [pressed, waiting])
	return {press: () => (waiting && !pressed ? setPressed(true) : take()), forget: () => setPressed(false)}
}

function addressOf({id, filter, sort, descending}: SavedView) {
	return {view: id, filter, sort: computerSorts.find(each => each === sort), desc: descending}
}

const focusComesBackMs = 60

function useAct(onClose: () => void): (action: PaletteAction) => void {
	const runKey = useRunKey()
	const navigate = useNavigate()
	const {history} = useRouter()
	const ui = useUi(all => all)
	const connection = useActiveConnectionOrNull()
	return action => {
		onClose()
		switch (action.kind) {
			case 'go':
				return void navigate({to: action.to})
			case 'instances':
				return void navigate({to: '/instances', search: {act: action.act}})
			case 'instance':
				return void navigate({to: '/instances/$id', params: {id: action.id}, search: {}})
			case 'overlay':
				return ui.setOverlay(action.overlay)
			case 'bulk':
				if (connection === null) return undefined
				return ui.openBulk(action.bulk, pickedFor(action.bulk, connection.id, ui.selections))
			case 'drawer':
				return ui.setDrawer(true)
			case 'importConnections':
				return void navigate({to: '/connections', search: {import: true}})
			case 'log':
				return void navigate({to: '/log', search: {act: action.act}})
			case 'settings':
				return void navigate({to: '/settings', search: {section: action.section}})
			case 'addConnection':
				return void navigate({to: '/connections', search: {add: true}})
			case 'open':
				return history.push(action.path)
			case 'filter':
				return void navigate({to: '/computers', search: {filter: action.filter}})
			case 'view':
				return void navigate({to: '/computers', search: addressOf(action.view)})
			case 'key':
				// The shortcut acts on the focused element, so the focus returns first.
				return void setTimeout(() => runKey(action.id), focusComesBackMs)
			case 'computer':
				return void navigate({to: '/computers/$guid', params: {guid: action.guid}})
			case 'form':
				return ui.openForm(action.command, action.values)
			case 'line':
				return ui.setDrawer(true, action.line)
		}
	}
}

/** A bulk change starts from the selection in its own list. */
function pickedFor(kind: BulkKind, connection: string, selections: UiState['selections']): readonly string[] {
	return [...(selections.get(kind === 'policies' ? pickedGroups(connection) : connection) ?? [])]
}

interface PaletteListProps {
	readonly id: string
	readonly items: readonly PaletteItem[]
	readonly picked: number
	readonly onTake: (item: PaletteItem) => void
}

function PaletteList({id, items, picked, onTake}: PaletteListProps) {
	const list = useRef<HTMLDivElement>(null)
	const mac = isMac()
	useEffect(() => {
		list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({block: 'nearest'})
	}, [picked, items])
	const sections = Map.groupBy(
		items.map((item, index) => ({item, index})),
		({item}) => item.section,
	)
	return (
		<div ref={list} id={id} role="listbox" aria-label={t.results} className={styles.list}>
			{items.length === 0 ? <p className={styles.none}>{t.noMatch}</p> : null}
			{[...sections].map(([section, entries]) => (
				<div key={section} role="group" aria-label={section}>
					<div className={styles.section} aria-hidden="true">
						{section}
					</div>
					{entries.map(({item, index}) => (
						<div
							key={item.id}
							id={`${id}-${index}`}
							role="option"
							aria-selected={index === picked}
							className={cx(styles.item, index === picked && styles.picked)}
							onMouseDown={event => event.preventDefault()}
							onClick={() => onTake(item)}
						>
							<span className={styles.title}>{item.title}</span>
							<span className={styles.detail}>{item.detail}</span>
							{item.keys === undefined ? null : <KeyCap keys={spell(item.keys, mac)} />}
						</div>
					))}
				</div>
			))}
		</div>
	)
}
