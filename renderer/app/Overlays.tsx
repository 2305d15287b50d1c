import {lazy, Suspense} from 'react'

import {useActiveConnectionOrNull} from '../api/active.tsx'
// Loaded with the page, not on demand: letters typed right after its key belong in the palette.
import {Palette} from '../commands/Palette.tsx'
import {useUi} from '../state/ui.tsx'
import {KeysDialog} from './KeysDialog.tsx'
import {ModeDialog} from './ModeDialog.tsx'
import {NoticesDialog} from './NoticesDialog.tsx'
import {SwitchDialog} from './SwitchDialog.tsx'
import type {ActiveChoice} from './use-active.ts'

const BulkOverlay = lazy(async () => ({default: (await import('../commands/jobs/BulkDialog.tsx')).BulkOverlay}))
const UndoList = lazy(async () => ({default: (await import('../commands/undo/UndoListDialog.tsx')).UndoListDialog}))
const CommandForm = lazy(async () => ({default: (await import('../commands/CommandForm.tsx')).CommandFormDialog}))

export function Overlays({choice}: {readonly choice: ActiveChoice}) {
	const overlay = useUi(ui => ui.overlay)
	const form = useUi(ui => ui.form)
	const hasConnection = useActiveConnectionOrNull() !== null
	const isBulk = useUi(ui => ui.bulk !== null) && hasConnection
	const setOverlay = useUi(ui => ui.setOverlay)
	const close = () => setOverlay(null)
	return (
		<>
			{overlay === 'keys' ? <KeysDialog onClose={close} /> : null}
			{overlay === 'notices' ? <NoticesDialog onClose={close} /> : null}
			{overlay === 'connection' ? <SwitchDialog choice={choice} onClose={close} /> : null}
			{overlay === 'mode' ? <ModeDialog onClose={close} /> : null}
			{overlay === 'palette' ? <Palette onClose={close} /> : null}
			<Suspense>
				{isBulk ? <BulkOverlay /> : null}
				{overlay === 'undo' && hasConnection ? <UndoList onClose={close} /> : null}
				{form === null ? null : <CommandForm key={form.command} command={form.command} values={form.values} />}
			</Suspense>
		</>
	)
}
