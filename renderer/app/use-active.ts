import type {Connection} from '#shared/model/connection.ts'

import {useConnections, useSettings} from '../api/hooks.ts'
import {useChooseConnection} from '../commands/use-choose-connection.ts'
import {useUi} from '../state/ui.tsx'

export interface ActiveChoice {
	/** `undefined` until the connections are loaded, `null` when there is none. */
	readonly connection: Connection | null | undefined
	readonly all: readonly Connection[]
	choose(id: string): void
}

/** This window's choice, else the profile's last one, else the first connection. */
export function useActiveChoice(): ActiveChoice {
	const all = useConnections()
	const chosen = useUi(ui => ui.activeConnection)
	const {activeConnection} = useSettings()
	const choose = useChooseConnection()
	return {
		connection: all === undefined ? undefined : (activeAmong(all, [chosen, activeConnection]) ?? null),
		all: all ?? [],
		choose,
	}
}

/** The first chosen connection that is still there, else the first of all. */
export function activeAmong(all: readonly Connection[], chosen: readonly (string | null)[]): Connection | undefined {
	return chosen.map(id => all.find(each => each.id === id)).find(each => each !== undefined) ?? all[0]
}
