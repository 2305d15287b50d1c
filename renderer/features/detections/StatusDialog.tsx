import {useMutation} from '@tanstack/react-query'
import {useState} from 'react'

import type {DetectionCase} from '#shared/contract/detections.ts'
import {detectionStatuses, type DetectionStatus} from '#shared/model/choices.ts'
import {useConnected} from '../../api/active.tsx'
import {useOperator} from '../../api/hooks.ts'
import {Failure} from '../../commands/Failure.tsx'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {TextArea, TextField} from '../../ui/Field.tsx'
import {Select} from '../../ui/Select.tsx'
import {t} from './text.ts'

const options = detectionStatuses.map(value => ({value, label: value}))

/** A decision is an entry of the incident log; nothing is sent to the service. */
export function StatusDialog({group, onClose}: {readonly group: DetectionCase; readonly onClose: () => void}) {
	const {client, connection} = useConnected()
	const me = useOperator()
	const announce = useAnnounce()
	// Whoever opens a new group is about to look into it.
	const [status, setStatus] = useState<DetectionStatus>(group.status === 'new' ? 'investigating' : group.status)
	const [owner, setOwner] = useState(group.owner === '' ? me : group.owner)
	const [note, setNote] = useState('')
	const {mutate, isPending, error} = useMutation({
		mutationFn: () => client.detections.decide({connection, key: group.key, status, owner: owner.trim(), note: note.trim()}),
		onSuccess: () => {
			announce('Status saved')
			onClose()
		},
	})
	return (
		<Dialog
			title={t.setStatusOf(group.title)}
			cancel
			onClose={onClose}
			footer={
				<Button tone="primary" onPress={() => mutate()} reason={isPending ? t.saving : null}>
					{t.saveStatus}
				</Button>
			}
		>
			<Select label={t.status} options={options} value={status} onChange={setStatus} />
			<TextField label={t.owner} value={owner} onChange={setOwner} maxLength={200} description={t.nobody} />
			<TextArea label={t.note} value={note} onChange={setNote} rows={3} maxLength={2000} description={t.statusKept} />
			<Failure error={error} />
		</Dialog>
	)
}
