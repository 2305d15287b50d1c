import {keepPreviousData, useQuery} from '@tanstack/react-query'

import type {FoundObject} from '#shared/contract/contract.ts'
import {counted} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'

import {useActiveConnectionOrNull, useActiveFrame} from '../api/active.tsx'
import {useApi} from '../api/ApiProvider.tsx'
import {useActiveKeys} from '../ui/keys/KeyRegistry.tsx'
import {inOrder, keyItems, matchingItems, recognised, screenItems, searchItem, verbIn, verbItem} from './palette-items.ts'
import {useHistory} from './use-history.ts'
import type {PaletteAction, PaletteItem} from './palette-item.ts'

interface Items {
	readonly items: readonly PaletteItem[]
	readonly waiting: boolean
}

const mostObjects = 8
const mostRecent = 4
/** How many found groups bring their actions along. */
const mostActedOn = 3

/** Objects, actions on them, earlier lines, screens and commands that match; sections by their best item. */
export function usePaletteItems(text: string): Items {
	const {queries} = useApi()
	const connection = useActiveConnectionOrNull()?.id ?? ''
	const history = useHistory()
	const wanted = text.trim()
	const meant = verbIn(text)
	const sought = meant?.object ?? wanted
	const input = {connection, text: sought, limit: mostObjects}
	const enabled = connection !== '' && sought.length >= 2
	const found = useQuery(queries.commands.find.queryOptions({input, enabled, placeholderData: keepPreviousData, gcTime: 5_000}))
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
		...(meant === null ? [] : known.filter(({kind}) => kind === 'computer').map(found => verbItem(meant.verb, found))),
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
		...searchItem(text),
	]
	// Sorted here, so that the arrow keys follow the order on screen.
	return {items: inOrder(items, text), waiting: enabled && (found.isPending || found.isPlaceholderData)}
}

/** The demonstration makes its own API key. */
function useKeyItems(text: string): readonly PaletteItem[] {
	const frame = useActiveFrame()
	if (frame === null || frame.connection.sandbox) return []
	const {connection, link} = frame
	const error = link.kind === 'failing' ? link.error : null
	const isKey = error?.code === 'unauthorized' || error?.code === 'secret_unavailable'
	return keyItems({id: connection.id, name: connection.name, refusal: isKey ? error.message : null}, text)
}

/** Instances by name; none without a text, because their screen lists them all. */
function useInstances(wanted: string): readonly PaletteItem[] {
	const {data} = useQuery(useApi().queries.instances.list.queryOptions())
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
			action: {kind: 'instance', id: instance.id},
		}))
}

/** Groups by name, if a screen has loaded them: when many computers match, the host's answer has no room for groups. */
function useGroups(connection: string, wanted: string, known: readonly FoundObject[]): readonly FoundObject[] {
	const {queries} = useApi()
	const {data} = useQuery(queries.directory.groups.tree.queryOptions({input: {connection}, enabled: false}))
	const words = wanted.toLowerCase()
	if (words.length < 2) return []
	const found = (data?.groups ?? [])
		.filter(({name, vanishedAt}) => vanishedAt === null && name.toLowerCase().includes(words))
		.slice(0, mostObjects)
		.map(({guid, name, below}): FoundObject => {
			const detail = `${counted(below.computers, nouns.computer)}`
			return {kind: 'group', guid, label: name, detail}
		})
	const others = known.filter(({kind, guid}) => kind === 'group' && !found.some(group => group.guid === guid))
	return [...found, ...others]
}

/** Policies by name, if a screen has loaded them: opening the palette loads nothing. */
function usePolicies(connection: string, wanted: string): readonly PaletteItem[] {
	const {queries} = useApi()
	const {data} = useQuery(queries.directory.policies.list.queryOptions({input: {connection}, enabled: false}))
	const words = wanted.toLowerCase()
	if (words.length < 2) return []
	return (data?.policies ?? [])
		.filter(({name, vanishedAt}) => vanishedAt === null && name.toLowerCase().includes(words))
		.slice(0, mostObjects)
		.map(({guid, name, product, computers}) => ({
			id: `policy-${guid}`,
			section: 'Objects',
			title: name,
			detail: `policy for ${product} · ${counted(computers, nouns.computer)}`,
			action: {kind: 'open', path: `/policies/${guid}`},
		}))
}

/** File lists by name, if a screen has loaded them: opening the palette loads nothing. */
function useFileLists(connection: string, wanted: string): readonly PaletteItem[] {
	const {queries} = useApi()
	const {data} = useQuery(queries.directory.fileLists.list.queryOptions({input: {connection}, enabled: false}))
	const words = wanted.toLowerCase()
	if (words.length < 2) return []
	return (data?.lists ?? [])
		.filter(({name, vanishedAt}) => vanishedAt === null && name.toLowerCase().includes(words))
		.slice(0, mostObjects)
		.map(({guid, name, items}) => ({
			id: `list-${guid}`,
			section: 'Objects' as const,
			title: name,
			detail: `file list · ${items === null ? 'not loaded' : counted(items, nouns.hash)}`,
			path: `/file-lists/${guid}`,
		}))
		.flatMap(({path, ...item}): readonly PaletteItem[] => [
			{...item, action: {kind: 'open', path}},
			{
				id: `${item.id}-edit`,
				section: 'Objects',
				title: `Edit ${item.title}`,
				detail: 'stage many hashes, commit them at once',
				action: {kind: 'open', path: `${path}/edit`},
			},
		])
}

/** Saved views of the computers list, once that screen was open. */
function useSavedViews(connection: string, wanted: string): readonly PaletteItem[] {
	const {queries} = useApi()
	const {data} = useQuery(queries.views.list.queryOptions({input: {connection}, enabled: false}))
	const words = wanted.toLowerCase()
	if (words.length < 2) return []
	return (data ?? [])
		.filter(({name}) => name.toLowerCase().includes(words))
		.map(view => ({
			id: `view-${view.id}`,
			section: 'Objects',
			title: view.name,
			detail: `view of computers · ${view.filter === '' ? 'no filter' : view.filter}`,
			action: {kind: 'view', view},
		}))
}

function objectItem(object: FoundObject): PaletteItem {
	const action: PaletteAction =
		object.kind === 'computer' ? {kind: 'computer', guid: object.guid} : {kind: 'open', path: `/groups?group=${object.guid}`}
	return {
		id: `${object.kind}-${object.guid}`,
		section: 'Objects',
		title: object.label,
		detail: `${object.kind} · ${object.detail}`,
		action,
	}
}

/** Opens the dialog; choosing sends nothing. */
function assignItem({guid, label}: FoundObject): PaletteItem {
	return {
		id: `assign-${guid}`,
		section: 'Actions',
		title: `Assign policies to ${label}…`,
		detail: 'shows before and after first',
		action: {kind: 'open', path: `/groups?group=${guid}&act=assign`},
	}
}

function recentItem(line: string): PaletteItem {
	return {id: `recent-${line}`, section: 'Recent', title: `!${line}`, detail: '', action: {kind: 'line', line}}
}
