import {useRouter, useRouterState} from '@tanstack/react-router'
import {useEffect, useRef} from 'react'

import type {Connection} from '#model/connection.ts'

import {useConnections, useAsked} from '#api/hooks.tsx'
import {useChooseConnection} from '#commands/use-choose-connection.ts'
import {useUi} from '#state/ui.tsx'

export type ActiveChoice = ReturnType<typeof useActiveChoice>

const tellsEveryMs = 60_000

/** This window's choice, else the profile's last one, else the first connection. No other window changes it. */
export function useActiveChoice() {
	const all = useConnections()
	const chosen = useUi(ui => ui.activeConnection)
	const {data: settings} = useAsked(q => q.settings.get)
	const choose = useChooseConnection()
	const keep = useUi(ui => ui.setActiveConnection)
	/** `undefined` until the connections are loaded, `null` when there is none. */
	const connection = all && (activeAmong(all, [chosen, settings?.activeConnection ?? null]) ?? null)
	const id = connection?.id
	const isListed = chosen !== null && chosen === id
	const wasListed = useRef<string>(null)
	useEffect(() => {
		if (isListed) wasListed.current = chosen
		// A connection that was just added is chosen before it is listed.
		else if (id !== undefined && settings !== undefined && (chosen === null || chosen === wasListed.current)) keep(id)
	}, [id, chosen, isListed, settings, keep])
	useAsked(q => q.app.shows, {
		...{input: {connection: id ?? ''}, enabled: id !== undefined},
		...{refetchInterval: tellsEveryMs, refetchIntervalInBackground: true}
	})
	return {connection, all: all ?? [], choose}
}

/** An address from outside the window, such as a notification's, may name its tenant: that is chosen. */
export function useTenantOfAddress({all, choose}: ActiveChoice) {
	const router = useRouter()
	const tenant = useRouterState({select: ({location}) => (location.search as {tenant?: string}).tenant})
	const known = all.find(({id}) => id === tenant)?.id
	useEffect(() => {
		if (known === undefined) return
		choose(known)
		void router.navigate({to: '.', search: (old: object) => ({...old, tenant: undefined}), replace: true} as never)
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- `choose` is recreated with every render and always does the same
	}, [known, router])
}

/** The first chosen connection that is still there, else the first of all. */
export function activeAmong(all: readonly Connection[], chosen: readonly (string | null)[]): Connection | undefined {
	return chosen.map(id => all.find(each => each.id === id)).find(each => each !== undefined) ?? all[0]
}
