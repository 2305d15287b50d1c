import type {ComputerDetail} from '#shared/contract/contract.ts'

import {ChangeDialog} from '../../commands/change/ChangeDialog.tsx'
import {useChange} from '../../commands/change/use-change.ts'
import {PreflightNotes, usePreflight} from '../../commands/Preflight.tsx'
import {TargetComputer} from '../../commands/TargetComputer.tsx'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {t} from './text.ts'

/** Asks for a reason and sends one request. A release may use the release reserve, and is never blocked. */
export function ReleaseDialog({detail, onClose}: {detail: ComputerDetail; onClose: () => void}) {
	const {guid, hostname} = detail.row
	const announce = useAnnounce()
	const preflight = usePreflight(guid, 'release')
	const change = useChange({name: 'svc_delete_computers_isolation', args: {connector_guid: guid}, isFree: true})
	const send = async () => {
		const result = await change.send()
		if (result === null) return
		announce(result.message)
		onClose()
	}
	return (
		<ChangeDialog
			title={`${t.release} ${hostname}`}
			change={change}
			waits={preflight.refusal}
			kind="release"
			onClose={onClose}
			onConfirm={() => void send()}
		>
			<TargetComputer detail={detail} />
			<p className="quiet">{t.computerStays}</p>
			<PreflightNotes view={preflight} />
		</ChangeDialog>
	)
}
