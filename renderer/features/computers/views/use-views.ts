import {useMutation} from '@tanstack/react-query'
import {useEffect, useEffectEvent, useRef} from 'react'

import {computerSorts} from '#model/choices.ts'
import type {SavedView} from '#model/saved-view.ts'

import {useConnected, useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import type {ComputersSearch} from '../search.ts'

/** In the address when no view is chosen, even with a default view. */
const noView = 'all'

export type Views = ReturnType<typeof useViews>

interface ShownNow {
	search: ComputersSearch
	filter: string
	setFilter(filter: string): void
	change(next: Partial<ComputersSearch>): void
}

/** Saved views of this connection, and the current one. */
export function useViews({search, filter, setFilter, change}: ShownNow) {
	const {queries, client, cache, connection} = useConnected()
	const settings = useSettings()
	const setSettings = useSetSettings()
	const {data: all} = useAsked(q => q.views.list, {input: {connection}})
	const keep = (views: readonly SavedView[]) => cache.setQueryData(queries.views.list.queryKey({input: {connection}}), views)
	const save = async (view: SavedView) => keep(await client.views.save({connection, view}))
	const changing = useMutation({mutationFn: save})
	const current = all?.find(({id}) => id === search.view)
	const hasDefault = all?.some(({isDefault}) => isDefault) ?? false
	const open = (view: SavedView | null) => {
		change({...addressOf(view, hasDefault ? noView : undefined), peek: undefined})
		setFilter(view?.filter ?? '')
	}
	useDefaultView(all, search, open)
	return {
		all: all ?? [],
		current,
		isChanged: current !== undefined && differs(current, search, filter),
		/** Stored form of the columns: those of the view, or of the list without one. */
		columns: current?.columns ?? settings.computerColumns,
		setColumns: (columns: readonly string[]) => {
			if (current === undefined) setSettings({computerColumns: [...columns]})
			else changing.mutate({...current, columns: [...columns]})
		},
		open,
		save,
		remove: async (id: string) => {
			keep(await client.views.remove({connection, id}))
			if (id === search.view) open(null)
		},
		/** Of the screen, not of a dialog: `error` says why it failed. */
		change: changing.mutate,
		error: changing.error
	}
}

/** An empty address opens the default view, once. */
function useDefaultView(all: readonly SavedView[] | undefined, search: ComputersSearch, open: (view: SavedView) => void) {
	const isDone = useRef(false)
	const show = useEffectEvent(open)
	const says = Object.values(search).some(value => value !== undefined)
	useEffect(() => {
		if (all === undefined || isDone.current) return
		isDone.current = true
		const first = all.find(({isDefault}) => isDefault)
		if (first !== undefined && !says) show(first)
	}, [all, says])
}

function addressOf(view: SavedView | null, none: string | undefined): Partial<ComputersSearch> {
	if (view === null) return {view: none, filter: undefined, sort: undefined, desc: undefined}
	return {
		view: view.id,
		filter: view.filter === '' ? undefined : view.filter,
		sort: computerSorts.find(sort => sort === view.sort),
		desc: view.descending ? true : undefined
	}
}

function differs(view: SavedView, search: ComputersSearch, filter: string) {
	return view.filter !== filter || view.sort !== (search.sort ?? 'hostname') || view.descending !== (search.desc ?? false)
}
