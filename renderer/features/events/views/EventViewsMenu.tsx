import {useState} from 'react'

import type {EventView} from '#contract/event-views.ts'
import {useConnected, useAsked} from '#api/hooks.tsx'
import {ViewNameDialog} from '#commands/views/ViewNameDialog.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Menu, type MenuGroup} from '#ui/Menu.tsx'
import {groupings, withinWords} from '../grouping.ts'
import type {EventsSearch} from '../search.ts'
import {spanSpecs} from '../span.ts'
import {t} from '../text.ts'
import type {EventsView} from '../use-question.ts'

/** Saved views of the events, and actions for the current one. */
export function EventViewsMenu({view: {search, filter, change}}: {view: EventsView}) {
	const views = useEventViews()
	const [isOpen, setOpen] = useState(false)
	const [edited, setEdited] = useState<EventView | null>(null)
	useKey('events.views', () => setOpen(true))
	const shown = shownBy(search, filter.applied)
	const current = views.all.find(each => isSame(each, shown))
	const open = (next: Shown) => {
		change(addressOf(next))
		filter.set(next.filter)
	}
	const act = (id: string) => {
		if (id === 'new') setEdited({kind: 'events', id: crypto.randomUUID(), name: '', ...shown})
		else if (id === 'edit') setEdited(current ?? null)
		else open(views.all.find(each => `open ${each.id}` === id) ?? everyEvent)
	}
	return (
		<>
			<Menu label={t.views} groups={groupsOf(views.all, shown, current)} onAction={act} isOpen={isOpen} onOpenChange={setOpen} />
			{edited !== null && (
				<EventViewDialog
					view={edited}
					names={views.all.filter(({id}) => id !== edited.id).map(({name}) => name)}
					onSave={views.save}
					onRemove={views.all.includes(edited) ? () => views.remove(edited.id) : null}
					onClose={() => setEdited(null)}
				/>
			)}
		</>
	)
}

function groupsOf(all: readonly EventView[], shown: Shown, current: EventView | undefined): readonly MenuGroup[] {
	return [
		{
			title: 'Views',
			entries: [
				{id: 'open ', label: 'All events', isChecked: isSame(shown, everyEvent)},
				...all.map(each => ({id: `open ${each.id}`, label: each.name, detail: describeView(each), isChecked: each === current}))
			]
		},
		{
			title: 'What is shown',
			entries:
				current === undefined
					? [{id: 'new', label: 'Save as a view…', detail: 'filter, time and grouping under a name'}]
					: [{id: 'edit', label: `Rename or delete “${current.name}”…`}]
		}
	]
}

function useEventViews() {
	const {queries, client, cache, connection} = useConnected()
	const {data: all = []} = useAsked(q => q.eventViews.list, {input: {connection}})
	const keep = (views: readonly EventView[]) => cache.setQueryData(queries.eventViews.list.queryKey({input: {connection}}), views)
	return {
		all,
		save: async (view: EventView) => keep(await client.eventViews.save({connection, view})),
		remove: async (id: string) => keep(await client.eventViews.remove({connection, id}))
	}
}

interface EventViewDialogProps {
	view: EventView
	/** Of the other views. */
	names: readonly string[]
	onSave: (view: EventView) => Promise<unknown>
	/** `null`: not saved yet. */
	onRemove: (() => Promise<unknown>) | null
	onClose: () => void
}

/** The name of a view; filter, time and grouping are those of the screen. */
function EventViewDialog({view, names, onSave, onRemove, onClose}: EventViewDialogProps) {
	return (
		<ViewNameDialog
			name={view.name}
			description={t.itKeeps(describeView(view))}
			onSave={name => onSave({...view, name})}
			{...{names, onRemove, onClose}}
		/>
	)
}

type Shown = Omit<EventView, 'kind' | 'id' | 'name'>

/** The saved part of the screen. `filter` is the typed one. */
export function shownBy({span, from, to, grouping = 'none', within}: EventsSearch, filter: string): Shown {
	return {
		// Without a selected time an address without a span means all.
		...{filter, span: span === 'all' && from === undefined ? null : (span ?? null), grouping, within: within ?? null},
		...{from: isoOf(from), to: isoOf(to)}
	}
}

function isoOf(moment: string | undefined) {
	return moment === undefined ? null : new Date(moment).toISOString()
}

/** The address of a view, without a side panel. */
export function addressOf({filter, span, from, to, grouping, within}: Shown): EventsSearch {
	return {
		...{filter, span: span ?? undefined},
		...{from: from ?? undefined, to: to ?? undefined},
		...{grouping: grouping === 'none' ? undefined : grouping, within: within ?? undefined},
		event: undefined
	}
}

/** All events, the initial state. */
export const everyEvent: Shown = {filter: '', span: null, from: null, to: null, grouping: 'none', within: null}

export function isSame(one: Shown, other: Shown) {
	const facts = ({filter, span, from, to, grouping, within}: Shown) => [filter, span, from, to, grouping, within]
	return JSON.stringify(facts(one)) === JSON.stringify(facts(other))
}

/** `severity>=high · last 7 days · By hash within 1 h`. */
export function describeView({filter, span, from, grouping, within}: Shown) {
	const rows = groupings.find(({value}) => value === grouping)?.label ?? grouping
	const close = within === null ? '' : ` ${withinWords.find(({minutes}) => minutes === within)?.label ?? ''}`
	return [
		filter === '' ? 'no filter' : filter,
		from !== null ? 'a chosen time' : span === null || span === 'all' ? null : spanSpecs[span].words,
		grouping === 'none' ? null : `${rows}${close}`
	]
		.filter(part => part !== null)
		.join(' · ')
}
