import {useState} from 'react'

import type {ComputerDetail} from '#contract/contract.ts'
import {unlockCodeSchema} from '#model/isolation.ts'

import {ChangeDialog} from '#commands/change/ChangeDialog.tsx'
import {useChange} from '#commands/change/use-change.ts'
import {CodeAndLease} from '#commands/guard/LeaseChoice.tsx'
import {nothingCanBeSealed, useLease, useProposedCode} from '#commands/guard/use-lease.ts'
import {PreflightNotes, usePreflight} from '#commands/Preflight.tsx'
import {TargetComputer} from '#commands/TargetComputer.tsx'
import {t as words} from '#commands/text.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {optionsOf} from '#ui/Select.tsx'
import {TextField, RadioGroup} from '#ui/Field.tsx'
import {t} from './text.ts'

/** Asks for a reason, a code and a lease, shows the effect and target, and sends one request. */
export function IsolateDialog({detail, onClose}: {detail: ComputerDetail; onClose: () => void}) {
	const {guid, hostname} = detail.row
	const announce = useAnnounce()
	const preflight = usePreflight(guid, 'isolate')
	const code = useCode()
	const lease = useLease()
	const args = {connector_guid: guid}
	const change = useChange({name: 'svc_put_computers_isolation', args})
	const send = async () => {
		if (!code.submit()) return void change.give()
		const result = await change.send({
			args: code.kind === 'own' ? {...args, unlock_code: code.text} : args,
			isolation: {code: code.kind === 'generated' ? 'generated' : 'service', lease: lease.term}
		})
		if (result === null) return
		announce(result.message)
		onClose()
	}
	return (
		<ChangeDialog
			title={`${t.isolate} ${hostname}`}
			change={change}
			waits={preflight.refusal}
			kind="isolate"
			options={
				<CodeAndLease code={codeWords[code.kind]} term={lease.term} onChange={lease.setTerm}>
					<CodeChoice code={code} />
				</CodeAndLease>
			}
			onClose={onClose}
			onConfirm={() => void send()}
		>
			<TargetComputer detail={detail} />
			<p className="quiet">{t.networkTraffic}</p>
			<PreflightNotes view={preflight} />
		</ChangeDialog>
	)
}

type CodeKind = 'generated' | 'service' | 'own'

type Code = ReturnType<typeof useCode>

function useCode() {
	const proposed = useProposedCode()
	const [chosen, setKind] = useState<CodeKind | null>(null)
	/** The proposal, until changed. */
	const kind = chosen ?? proposed.code
	const [text, setText] = useState('')
	const [tried, setTried] = useState(false)
	const problem = kind === 'own' ? codeProblem(text) : null
	return {
		kind,
		canSeal: proposed.canSeal,
		text,
		error: tried || text !== '' ? problem : null,
		setKind,
		setText,
		/** `false` when the typed code is invalid; then it shows why. */
		submit: () => {
			setTried(true)
			return problem === null
		}
	}
}

const codeWords: Readonly<Record<CodeKind, string>> = {generated: words.codeGenerated, service: words.codeByService, own: 'My own'}

function CodeChoice({code}: {code: Code}) {
	return (
		<>
			<RadioGroup
				label={t.unlockCodeLocal}
				value={code.kind}
				onChange={code.setKind}
				options={optionsOf(['generated', 'service', 'own'] as const, codeWords)}
				orientation="horizontal"
				{...(!code.canSeal && {description: nothingCanBeSealed})}
			/>
			{code.kind === 'own' && (
				<TextField
					label={t.code}
					type="password"
					value={code.text}
					onChange={code.setText}
					mono
					isRequired
					autoComplete="off"
					error={code.error}
					description={t.most24Characters}
				/>
			)}
		</>
	)
}

function codeProblem(code: string) {
	const checked = unlockCodeSchema.safeParse(code)
	if (checked.success) return null
	return code === '' ? 'Type the code.' : `The code ${checked.error.issues[0]?.message ?? 'cannot be used'}.`
}
