import {useState} from 'react'

import type {KeyUse, KeyView} from '#model/approval.ts'

import {ActDialog} from '#commands/ActDialog.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {t} from './text.ts'

const shortestPassphrase = 12

export function CreateKeyDialog({onClose}: {onClose: () => void}) {
	const [name, setName] = useState('')
	const [passphrase, setPassphrase] = useState('')
	const [again, setAgain] = useState('')
	const missing =
		name.trim() === ''
			? t.missing(t.personName)
			: passphrase.length < shortestPassphrase
				? t.passphraseMissing
				: passphrase === again
					? null
					: t.passphrasesDiffer
	return (
		<ActDialog
			title={t.createKey}
			act={t.createKey}
			missing={missing}
			work={client => client.approvals.createKey({name, passphrase})}
			onClose={onClose}
		>
			<TextField label={t.personName} value={name} onChange={setName} maxLength={200} autoFocus />
			<TextField label={t.newPassphrase} type="password" value={passphrase} onChange={setPassphrase} autoComplete="new-password" />
			<TextField label={t.passphraseAgain} type="password" value={again} onChange={setAgain} autoComplete="new-password" />
		</ActDialog>
	)
}

const uses = [
	{value: 'approve', label: t.useApprove},
	{value: 'publish', label: t.usePublish}
] as const

/** The operator types the name to confirm trust. `known`: a key of this profile. */
export function TrustKeyDialog({known, onClose}: {known: KeyView | null; onClose: () => void}) {
	const [given, setName] = useState('')
	const [pem, setPem] = useState('')
	const [groups, setGroups] = useState('')
	const [use, setUse] = useState<KeyUse>('approve')
	const [confirm, setConfirm] = useState('')
	const name = known?.name ?? given.trim()
	const publicKey = known?.publicKey ?? pem
	const missing =
		name === ''
			? t.missing(t.personName)
			: publicKey.trim() === ''
				? t.missing(t.publicKey)
				: confirm.trim().toLowerCase() === name.toLowerCase()
					? null
					: t.typeToConfirm(name)
	const list = groups
		.split(',')
		.map(one => one.trim())
		.filter(one => one !== '')
	return (
		<ActDialog
			title={known === null ? t.trustKey : t.trustNamed(known.name)}
			act={t.trustKey}
			missing={missing}
			work={client => client.approvals.addKey({name, use, publicKey, groups: list, confirm})}
			onClose={onClose}
		>
			{known === null && (
				<>
					<TextField label={t.personName} value={given} onChange={setName} maxLength={200} autoFocus />
					<TextArea label={t.publicKey} value={pem} onChange={setPem} maxLength={10_000} mono />
				</>
			)}
			<Select label={t.usedFor} options={uses} value={use} onChange={setUse} />
			<TextField label={t.keyGroups} value={groups} onChange={setGroups} />
			{name !== '' && <TextField label={t.typeToConfirm(name)} value={confirm} onChange={setConfirm} description={t.trustNote(name)} />}
		</ActDialog>
	)
}

export function RevokeKeyDialog({known, onClose}: {known: KeyView; onClose: () => void}) {
	const [reason, setReason] = useState('')
	return (
		<ActDialog
			title={t.revokeNamed(known.name)}
			act={t.revokeNow}
			missing={reason.trim() === '' ? t.reasonMissing : null}
			work={client => client.approvals.revokeKey({key: known.id, reason})}
			onClose={onClose}
		>
			<p className="quiet">{t.revokeNote}</p>
			<TextField label={t.reason} value={reason} onChange={setReason} maxLength={2000} autoFocus />
		</ActDialog>
	)
}
