import {useNavigate} from '@tanstack/react-router'

import {useActiveConnection, useActiveFrame} from '../api/active.tsx'
import {Banner} from '../ui/Banner.tsx'
import {Button} from '../ui/Button.tsx'
import {Dialog} from '../ui/Dialog.tsx'
import {loudTitle, modeWords} from '../ui/connection-words.ts'
import {t} from './text.ts'
import {useSetLocked} from './use-set-locked.ts'

export function ModeDialog({onClose}: {onClose: () => void}) {
	const connection = useActiveConnection()
	const mode = useActiveFrame()?.mode
	const navigate = useNavigate()
	const lock = useSetLocked()
	if (mode === undefined) return null
	const {word, meaning} = modeWords(mode)
	const edit = () => {
		onClose()
		void navigate({to: '/connections', search: {edit: connection.id}})
	}
	const isSetting = mode.kind === 'read_only' && mode.because === 'connection'
	const isManaged = mode.kind === 'read_only' && mode.because === 'managed'
	const locked = mode.kind === 'read_only' && mode.because === 'locked'
	const action = isManaged ? null : isSetting ? (
		<Button onPress={edit}>{t.editTheConnection}</Button>
	) : locked ? (
		<Button tone="primary" isDisabled={lock.isPending} onPress={() => lock.set(false, onClose)}>
			{t.allowChangesIn(loudTitle(connection))}
		</Button>
	) : (
		<Button tone="primary" isDisabled={lock.isPending} onPress={() => lock.set(true, onClose)}>
			{t.lockChanges}
		</Button>
	)
	return (
		<Dialog title={t.is(connection.name, word)} cancel="first" onClose={onClose} size="small" tone="connection" footer={action}>
			{lock.error === null ? null : <Banner tone="bad">{lock.error.message}</Banner>}
			<p>{meaning}</p>
			{mode.kind === 'guarded' ? <p>{t.lockingStops}</p> : null}
			{isSetting ? <p>{t.readOnlySetting}</p> : null}
		</Dialog>
	)
}
