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
	const find = (id: string | null) => all?.find(each => each.id === id)
	return {
		connection: all === undefined ? undefined : (find(chosen) ?? find(activeConnection) ?? all[0] ?? null),
		all: all ?? [],
		choose,
	}
}
