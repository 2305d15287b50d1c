import type {ComputerDetail} from '#shared/contract/contract.ts'

import {GuardNotes} from '../../commands/guard/GuardNotes.tsx'
import {ReasonFields} from '../../commands/guard/ReasonFields.tsx'
import {TypedConfirmation} from '../../commands/guard/TypedConfirmation.tsx'
import {useAgreement} from '../../commands/guard/use-agreement.ts'
import {useJudgement} from '../../commands/guard/use-judgement.ts'
import {PreflightNotes, usePreflight} from '../../commands/Preflight.tsx'
import {useRun} from '../../commands/use-run.ts'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {ChangeDialog} from './ChangeDialog.tsx'
import {t} from './text.ts'

interface DialogProps {
	readonly detail: ComputerDetail
	readonly isOpen: boolean
	readonly onClose: () => void
}

const name = 'svc_delete_computers_isolation'

/** Asks for a reason and sends one request. A release may use the release reserve, and is never blocked. */
export function ReleaseDialog({detail, isOpen, onClose}: DialogProps) {
	const {row} = detail
	const announce = useAnnounce()
	const preflight = usePreflight(row.guid, 'release', isOpen)
	const judgement = useJudgement(name, {connector_guid: row.guid}, isOpen)
	const fields = useAgreement()
	const runner = useRun()

	const close = () => {
		fields.reset()
		runner.reset()
		onClose()
	}
	const send = async () => {
		const agreement = fields.submit(judgement.answer?.judgement)
		if (agreement === null) return
		const result = await runner.run({name, args: {connector_guid: row.guid}, agreement})
		if (result === null) return
		announce(result.message)
		close()
	}
	return (
		<ChangeDialog
			detail={detail}
			verb={t.release}
			isOpen={isOpen}
			runner={runner}
			waits={preflight.refusal}
			onClose={close}
			onSend={() => void send()}
		>
			<p className="quiet">{t.computerStays}</p>
			<PreflightNotes view={preflight} />
			<GuardNotes view={judgement} />
			<ReasonFields fields={fields} kind="release" />
			<TypedConfirmation view={judgement} fields={fields} />
		</ChangeDialog>
	)
}
