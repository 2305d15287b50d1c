import {lazy, Suspense} from 'react'

import type {Connection} from '#shared/model/connection.ts'
import {useActiveConnectionOrNull} from '../api/active.tsx'
import {Palette} from '../commands/Palette.tsx'
import {useUi} from '../state/ui.tsx'
import {KeysDialog} from './KeysDialog.tsx'
import {ModeDialog} from './ModeDialog.tsx'
import {NoticesDialog} from './NoticesDialog.tsx'
import type {ActiveChoice} from './use-active.ts'
import {ChoiceDialog, type Choice} from '../ui/ChoiceDialog.tsx'
import {connectionTitle} from '../ui/connection-words.ts'
import {t} from './text.ts'

const BulkOverlay = lazy(async () => ({default: (await import('../commands/jobs/BulkDialog.tsx')).BulkOverlay}))
const UndoList = lazy(async () => ({default: (await import('../commands/undo/UndoListDialog.tsx')).UndoListDialog}))
const CommandForm = lazy(async () => ({default: (await import('../commands/CommandForm.tsx')).CommandFormDialog}))

export function Overlays({choice}: {choice: ActiveChoice}) {
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

/** The connections of this profile; one is chosen for this window. */
function SwitchDialog({choice, onClose}: {choice: ActiveChoice; onClose: () => void}) {
	const current = choice.connection?.id
	return (
		<ChoiceDialog
			title={t.switchConnection}
			label={t.connections}
			details="under"
			choices={choice.all.map(connection => choiceOf(connection, connection.id === current))}
			onChoose={choice.choose}
			onClose={onClose}
		/>
	)
}

function choiceOf(connection: Connection, isCurrent: boolean): Choice {
	const {id, colour, readOnly, sandbox, url} = connection
	return {
		...{id, isCurrent, title: connectionTitle(connection)},
		...(isCurrent && {mark: ' (current)'}),
		detail: `${readOnly ? 'read-only · ' : ''}${sandbox ? 'made-up data' : url}`,
		swatch: `var(--connection-${colour})`,
	}
}
