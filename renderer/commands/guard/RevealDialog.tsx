import {omitUndefined} from '#shared/omit-undefined.ts'
import {useState, type ReactNode} from 'react'

import {useAsked, useCall} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {Failure} from '../Failure.tsx'
import {RevealedCode} from '../RevealedCode.tsx'
import {t} from '../text.ts'

interface RevealDialogProps {
	connection: string
	guid: string
	/** A code of the vault, shown without asking the service. */
	sealed?: string
	isOpen: boolean
	onClose: () => void
	children: ReactNode
}

/** Shows the unlock code once, for a reason that the log keeps. The code lives in this dialog only. */
export function RevealDialog(props: RevealDialogProps) {
	const it = useRevealDialog(props)
	const {isOpen, children} = props
	const {asks, reason, setReason, passphrase, setPassphrase, tried, reveal, close, send} = it
	return (
		<Dialog
			title={t.revealUnlock}
			size="small"
			isOpen={isOpen}
			onClose={close}
			footer={
				<>
					<Button onPress={close}>{reveal.isSuccess ? t.done : t.cancel}</Button>
					{!reveal.isSuccess && (
						<Button tone="hold" onPress={send} reason={reveal.isPending ? t.loadingTheCode : null}>
							{t.revealAndLog}
						</Button>
					)}
				</>
			}
		>
			<div className="stack">
				{children}
				{reveal.data === undefined ? (
					<>
						<TextField
							label={t.reason}
							value={reason}
							onChange={setReason}
							isRequired
							autoFocus
							maxLength={255}
							error={tried && reason.trim() === '' ? t.giveReason : null}
							description={t.incidentLogKeeps}
						/>
						{asks === 'passphrase' && (
							<TextField
								label={t.passphraseProfile}
								type="password"
								value={passphrase}
								onChange={setPassphrase}
								isRequired
								autoComplete="off"
								error={tried && passphrase === '' ? t.encryptsUnlock : null}
							/>
						)}
						{asks === 'prompt' && <p className="quiet">{t.systemAsksWhoYouAre}</p>}
					</>
				) : (
					<RevealedCode {...reveal.data} />
				)}
				<Failure error={reveal.error} />
			</div>
		</Dialog>
	)
}

function useRevealDialog({connection, guid, sealed, isOpen, onClose}: RevealDialogProps) {
	const {data: info} = useAsked(q => q.app.info, {enabled: isOpen})
	const asks = info?.secretStore.asks ?? 'nothing'
	const [reason, setReason] = useState('')
	const [passphrase, setPassphrase] = useState('')
	const [tried, setTried] = useState(false)
	const reveal = useCall(
		client =>
			client.isolation.reveal({connection, guid, reason: reason.trim(), ...omitUndefined({sealed}), ...(asks === 'passphrase' && {passphrase})}),
		{gcTime: 0}
	)
	const isComplete = reason.trim() !== '' && (asks !== 'passphrase' || passphrase !== '')
	const close = () => {
		setReason('')
		setPassphrase('')
		setTried(false)
		reveal.reset()
		onClose()
	}
	const send = () => {
		setTried(true)
		if (isComplete) reveal.mutate()
	}
	return {asks, reason, setReason, passphrase, setPassphrase, tried, reveal, close, send}
}
