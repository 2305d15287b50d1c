import {useState} from 'react'

import type {ComputerDetail} from '#contract/contract.ts'
import type {LeaseTerm} from '#model/job.ts'

import {useConnected} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {LeaseChoice} from '#commands/guard/LeaseChoice.tsx'
import {TargetComputer} from '#commands/TargetComputer.tsx'
import {TextField} from '#ui/Field.tsx'
import {t} from './text.ts'

/** A new length, counted from now, or another owner. Changes nothing in the service. */
export function LeaseDialog({detail, onClose}: {detail: ComputerDetail; onClose: () => void}) {
	const {lease, row} = detail
	const {client, connection} = useConnected()
	const [chosen, setChosen] = useState<LeaseTerm | null>(null)
	const [to, setTo] = useState('')
	const [note, setNote] = useState('')
	const term = chosen ?? {hours: 24, auto: lease?.auto ?? false}
	const save = async () => {
		const onComputer = {connection, guid: row.guid}
		if (chosen !== null || lease === null) await client.leases.set({...onComputer, term})
		if (to.trim() !== '') await client.leases.handOver({...onComputer, to: to.trim(), note: note.trim()})
	}
	const nothing = chosen === null && lease !== null && to.trim() === '' ? 'Nothing to save yet.' : null
	return (
		<ActDialog
			title={t.leaseOf(row.hostname)}
			act={t.saveLease}
			work={save}
			missing={nothing}
			busy={t.savingLease}
			done={`Lease of ${row.hostname} changed`}
			onClose={onClose}
		>
			<TargetComputer detail={detail} />
			<p className="quiet">{t.isolationsNever}</p>
			<LeaseChoice term={term} onChange={setChosen} />
			<TextField
				label={t.handOverTo}
				value={to}
				onChange={setTo}
				maxLength={100}
				autoComplete="off"
				description={lease === null ? t.newOwnerLease : t.currentOwner(lease.holder)}
			/>
			{to.trim() !== '' && <TextField label={t.handoverNote} value={note} onChange={setNote} maxLength={1000} />}
		</ActDialog>
	)
}
