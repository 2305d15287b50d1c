import type {Connection} from '#shared/model/connection.ts'

import {ChoiceDialog, type Choice} from '../ui/ChoiceDialog.tsx'
import {connectionTitle} from '../ui/connection-words.ts'
import {t} from './text.ts'
import type {ActiveChoice} from './use-active.ts'

/** The connections of this profile; one is chosen for this window. */
export function SwitchDialog({choice, onClose}: {readonly choice: ActiveChoice; readonly onClose: () => void}) {
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
