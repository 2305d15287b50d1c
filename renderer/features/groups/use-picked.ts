import {useRef} from 'react'

import {useActiveConnection} from '#api/hooks.tsx'
import type {TreeLine} from './tree-model.ts'
import {pickedGroups, useSelection, useUi} from '#state/ui.tsx'

/** The selected groups of the connection: a frozen list of GUIDs. No search, folding or refresh changes it. */
export type PickedGroups = ReturnType<typeof usePicked>

export function usePicked(lines: readonly Pick<TreeLine, 'node'>[]) {
	const [asSet, change] = useSelection(pickedGroups(useActiveConnection().id))
	const openBulk = useUi(ui => ui.openBulk)
	const buttons = useRef<HTMLDivElement>(null)
	const guids = [...asSet]
	/** Opens the policy dialog for them; `false` without a selection. */
	const assign = () => {
		if (guids.length > 0) openBulk('policies', guids)
		return guids.length > 0
	}
	/** Whether any of them is visible: hidden ones never take a key. */
	const isInView = lines.some(({node}) => asSet.has(node.guid))
	return {asSet, guids, isInView, buttons, change, assign}
}
