import {useRouter} from '@tanstack/react-router'
import {Search} from 'lucide-react'
import {type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState} from 'react'
import {keepPreviousData} from '@tanstack/react-query'

import type {FoundObject} from '#contract/contract.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnectionOrNull, useActiveFrame, useAsked} from '#api/hooks.tsx'
import {type BulkKind, pickedGroups, type UiState, useUi} from '#state/ui.tsx'
import {BrowserModal} from '#ui/BrowserModal.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {useRunKey, useActiveKeys} from '#ui/keys/KeyRegistry.tsx'
import {spell} from '#ui/keys/match.ts'
import {isMac} from '#ui/platform.ts'
import {Option} from './Option.tsx'
import type {PaletteAction, PaletteItem} from './palette-item.ts'
import styles from './Palette.module.css'
import {t} from './text.ts'
import {inOrder, inSearch, keyItems, matchingItems, recognised, screenItems, searchItem, verbIn, verbItems} from './palette-items.ts'
import {useHistory} from './use-history.ts'

/** Search over objects, screens and commands. A choice opens something and never changes anything. */
export function Palette({onClose}: {onClose: () => void}) {
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
					<Search size={16} aria-hidden />
					<input
						className={styles.input}
						role="combobox"
						aria-label={t.searchComputers}
						aria-autocomplete="list"
						aria-expanded={items.length > 0}
						aria-controls={`${id}-list`}
						{...(items.length !== 0 && {'aria-activedescendant': `${id}-list-${at}`})}
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
function useEnter(waiting: boolean, take: () => void): {press: () => void; forget: () => void} {
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

const focusComesBackMs = 60

function useAct(onClose: () => void): (action: PaletteAction) => void {
	const runKey = useRunKey()
	const {history} = useRouter()
	const ui = useUi(all => all)
	const connection = useActiveConnectionOrNull()
	return action => {
		onClose()
		switch (action.kind) {
			case 'overlay':
				return ui.setOverlay(action.overlay)
			case 'bulk':
				if (connection === null) return undefined
				return ui.openBulk(action.bulk, pickedFor(action.bulk, connection.id, ui.selections))
			case 'drawer':
				return ui.setDrawer(true)
			case 'open':
				return history.push(action.path)
			case 'key':
				// The shortcut acts on the focused element, so the focus returns first.
				return void setTimeout(() => runKey(action.id), focusComesBackMs)
			case 'form':
				return ui.openForm(action.command, action.values)
			case 'line':
				return ui.setDrawer(true, action.line)
		}
	}
}

/** A bulk change starts from the selection in its own list. */
function pickedFor(kind: BulkKind, connection: string, selections: UiState['selections']) {
	return [...(selections.get(kind === 'policies' ? pickedGroups(connection) : connection) ?? [])]
}

interface PaletteListProps {
	id: string
	items: readonly PaletteItem[]
	picked: number
	onTake: (item: PaletteItem) => void
}

function PaletteList({id, items, picked, onTake}: PaletteListProps) {
	const list = useRef<HTMLDivElement>(null)
	const mac = isMac()
	useEffect(() => {
		list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({block: 'nearest'})
	}, [picked, items])
	const sections = Map.groupBy(
		items.map((item, index) => ({item, index})),
		({item}) => item.section
	)
	return (
		<div ref={list} id={id} role="listbox" aria-label={t.results} className={styles.list}>
			{items.length === 0 && <p className={styles.none}>{t.noMatch}</p>}
			{[...sections].map(([section, entries]) => (
				<div key={section} role="group" aria-label={section}>
					<div className={styles.section} aria-hidden>
						{section}
					</div>
					{entries.map(({item, index}) => (
						<Option
							key={item.id}
							id={`${id}-${index}`}
							isPicked={index === picked}
							label={item.title}
							detail={item.detail}
							className={styles.item}
							onTake={() => onTake(item)}
						>
							{item.keys !== undefined && <KeyCap keys={spell(item.keys, mac)} />}
						</Option>
					))}
				</div>
			))}
		</div>
	)
}

const mostObjects = 8
const mostRecent = 4
/** How many found groups bring their actions along. */
const mostActedOn = 3

/** Objects, actions on them, earlier lines, screens and commands that match; sections by their best item. */
function usePaletteItems(text: string) {
	const connection = useActiveConnectionOrNull()?.id ?? ''
	const history = useHistory()
	const wanted = text.trim()
	const meant = verbIn(text)
	const sought = meant?.object ?? wanted
	const input = {connection, text: sought, limit: mostObjects}
	const enabled = connection !== '' && sought.length >= 2
	const found = useAsked(q => q.commands.find, {input, enabled, placeholderData: keepPreviousData, gcTime: 5_000})
	// Until the answer arrives, keep only earlier objects that match: Enter takes the first.
	const fits = ({label}: FoundObject) => label.toLowerCase().includes(sought.toLowerCase())
	const known = (found.data ?? []).filter(object => !found.isPlaceholderData || fits(object))
	const objects = enabled ? known.map(objectItem) : []
	const groups = useGroups(connection, wanted, known)
	const onGroups = groups.slice(0, mostActedOn).map(assignItem)
	const instances = useInstances(wanted)
	const policies = usePolicies(connection, wanted)
	const lists = useFileLists(connection, wanted)
	const views = useSavedViews(connection, wanted)
	const active = useActiveKeys()
	const recent = history.lines.filter(line => line.toLowerCase().includes(wanted.toLowerCase())).slice(0, mostRecent)
	const key = useKeyItems(text)
	const items = [
		...(meant === null ? [] : verbItems(meant.verb, known)),
		...recognised(text),
		...(wanted === '' ? key : []),
		...objects,
		...instances,
		...groups.filter(({guid}) => !known.some(object => object.guid === guid)).map(objectItem),
		...policies,
		...lists,
		...onGroups,
		...recent.map(recentItem),
		...views,
		...(wanted === '' ? [] : key),
		...matchingItems(text),
		...screenItems(active, text),
		...searchItem(text)
	]
	// Sorted here, so that the arrow keys follow the order on screen.
	return {items: inOrder(items, text), waiting: enabled && (found.isPending || found.isPlaceholderData)}
}

/** The demonstration makes its own API key. */
function useKeyItems(text: string) {
	const frame = useActiveFrame()
	if (frame === null || frame.connection.sandbox) return []
	const {connection, link} = frame
	const error = link.kind === 'failing' ? link.error : null
	const isKey = error?.code === 'unauthorized' || error?.code === 'secret_unavailable'
	return keyItems({id: connection.id, name: connection.name, refusal: isKey ? error.message : null}, text)
}

/** Instances by name; none without a text, because their screen lists them all. */
function useInstances(wanted: string): readonly PaletteItem[] {
	const {data} = useAsked(q => q.instances.list)
	const words = wanted.toLowerCase()
	if (words === '') return []
	return (data?.rows ?? [])
		.filter(({instance}) => instance.name.toLowerCase().includes(words))
		.slice(0, mostObjects)
		.map(({instance, health, route}) => ({
			id: `instance-${instance.id}`,
			section: 'Objects',
			title: instance.name,
			detail: `instance · ${health.state} · ${route}`,
			action: {kind: 'open', path: `/instances/${instance.id}`}
		}))
}

interface Named {
	name: string
	/** Missing or `null`: it is there. */
	vanishedAt?: string | null
}

/** From the second letter on: one is in almost every name. */
function named<Row extends Named>(rows: readonly Row[] | undefined, wanted: string, most = mostObjects): readonly Row[] {
	const words = wanted.toLowerCase()
	if (words.length < 2) return []
	return (rows ?? []).filter(({name, vanishedAt = null}) => vanishedAt === null && name.toLowerCase().includes(words)).slice(0, most)
}

/** Groups by name, if a screen has loaded them: when many computers match, the host's answer has no room for groups. */
function useGroups(connection: string, wanted: string, known: readonly FoundObject[]): readonly FoundObject[] {
	const {data} = useAsked(q => q.directory.groups.tree, {input: {connection}, enabled: false})
	const found = named(data?.groups, wanted).map(({guid, name, below}): FoundObject => {
		const detail = `${counted(below.computers, nouns.computer)}`
		return {kind: 'group', guid, label: name, detail}
	})
	const others = known.filter(({kind, guid}) => kind === 'group' && !found.some(group => group.guid === guid))
	return [...found, ...others]
}

/** Policies by name, if a screen has loaded them: opening the palette loads nothing. */
function usePolicies(connection: string, wanted: string): readonly PaletteItem[] {
	const {data} = useAsked(q => q.directory.policies.list, {input: {connection}, enabled: false})
	return named(data?.policies, wanted).map(({guid, name, product, computers}) => ({
		id: `policy-${guid}`,
		section: 'Objects',
		title: name,
		detail: `policy for ${product} · ${counted(computers, nouns.computer)}`,
		action: {kind: 'open', path: `/policies/${guid}`}
	}))
}

/** File lists by name, if a screen has loaded them: opening the palette loads nothing. */
function useFileLists(connection: string, wanted: string): readonly PaletteItem[] {
	const {data} = useAsked(q => q.directory.fileLists.list, {input: {connection}, enabled: false})
	return named(data?.lists, wanted)
		.map(({guid, name, items}) => ({
			id: `list-${guid}`,
			section: 'Objects' as const,
			title: name,
			detail: `file list · ${items === null ? 'not loaded' : counted(items, nouns.hash)}`,
			path: `/file-lists/${guid}`
		}))
		.flatMap(({path, ...item}): readonly PaletteItem[] => [
			{...item, action: {kind: 'open', path}},
			{
				id: `${item.id}-edit`,
				section: 'Objects',
				title: `Edit ${item.title}`,
				detail: 'stage many hashes, commit them at once',
				action: {kind: 'open', path: `${path}/edit`}
			}
		])
}

/** Saved views of the computers list, once that screen was open. */
function useSavedViews(connection: string, wanted: string): readonly PaletteItem[] {
	const {data} = useAsked(q => q.views.list, {input: {connection}, enabled: false})
	return named(data, wanted, Infinity).map(({id, name, filter, sort, descending}) => ({
		id: `view-${id}`,
		section: 'Objects',
		title: name,
		detail: `view of computers · ${filter === '' ? 'no filter' : filter}`,
		action: {kind: 'open', path: `/computers?view=${inSearch(id)}&filter=${inSearch(filter)}&sort=${sort}&desc=${descending}`}
	}))
}

function objectItem({kind, guid, label, detail}: FoundObject): PaletteItem {
	return {
		id: `${kind}-${guid}`,
		section: 'Objects',
		title: label,
		detail: `${kind} · ${detail}`,
		action: {kind: 'open', path: kind === 'computer' ? `/computers/${guid}` : `/groups?group=${guid}`}
	}
}

/** Opens the dialog; choosing sends nothing. */
function assignItem({guid, label}: FoundObject): PaletteItem {
	return {
		id: `assign-${guid}`,
		section: 'Actions',
		title: `Assign policies to ${label}…`,
		detail: 'shows before and after first',
		action: {kind: 'open', path: `/groups?group=${guid}&act=assign`}
	}
}

function recentItem(line: string): PaletteItem {
	return {id: `recent-${line}`, section: 'Recent', title: `!${line}`, detail: '', action: {kind: 'line', line}}
}
