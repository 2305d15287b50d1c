import {useState} from 'react'

import type {ComputerDetail} from '#shared/contract/contract.ts'
import {unlockCodeSchema} from '#shared/model/isolation.ts'
import {termWords} from '#shared/text/isolation.ts'

import {GuardNotes} from '../../commands/guard/GuardNotes.tsx'
import {LeaseChoice} from '../../commands/guard/LeaseChoice.tsx'
import {ReasonFields} from '../../commands/guard/ReasonFields.tsx'
import {TypedConfirmation} from '../../commands/guard/TypedConfirmation.tsx'
import {useAgreement} from '../../commands/guard/use-agreement.ts'
import {useJudgement} from '../../commands/guard/use-judgement.ts'
import {nothingCanBeSealed, useLease, useProposedCode} from '../../commands/guard/use-lease.ts'
import {PreflightNotes, usePreflight} from '../../commands/Preflight.tsx'
import {t as words} from '../../commands/text.ts'
import {useRun} from '../../commands/use-run.ts'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Disclosure} from '../../ui/Disclosure.tsx'
import {TextField} from '../../ui/Field.tsx'
import {RadioGroup} from '../../ui/Toggle.tsx'
import {ChangeDialog} from './ChangeDialog.tsx'
import {t} from './text.ts'

interface DialogProps {
	readonly detail: ComputerDetail
	readonly isOpen: boolean
	readonly onClose: () => void
}

const name = 'svc_put_computers_isolation'

/** Asks for a reason, a code and a lease, shows the effect and target, and sends one request. */
export function IsolateDialog({detail, isOpen, onClose}: DialogProps) {
	const {row} = detail
	const announce = useAnnounce()
	const preflight = usePreflight(row.guid, 'isolate', isOpen)
	const judgement = useJudgement(name, {connector_guid: row.guid}, isOpen)
	const fields = useAgreement()
	const code = useCode()
	const lease = useLease(isOpen)
	const runner = useRun()

	const close = () => {
		fields.reset()
		code.reset()
		lease.reset()
		runner.reset()
		onClose()
	}
	const send = async () => {
		const agreement = fields.submit(judgement.answer?.judgement)
		if (!code.submit() || agreement === null || judgement.answer === undefined) return
		const args = {connector_guid: row.guid, ...(code.kind === 'own' ? {unlock_code: code.text} : {})}
		const made = code.kind === 'generated' ? ('generated' as const) : ('service' as const)
		const result = await runner.run({name, args, agreement, isolation: {code: made, lease: lease.term}})
		if (result === null) return
		announce(result.message)
		close()
	}
	return (
		<ChangeDialog
			detail={detail}
			verb={t.isolate}
			isOpen={isOpen}
			runner={runner}
			waits={preflight.refusal}
			judgement={judgement}
			onClose={close}
			onSend={() => void send()}
		>
			<p className="quiet">{t.networkTraffic}</p>
			<PreflightNotes view={preflight} />
			<GuardNotes view={judgement} />
			<ReasonFields fields={fields} kind="isolate" />
			<CodeAndLease code={code} lease={lease} />
			<TypedConfirmation view={judgement} fields={fields} />
		</ChangeDialog>
	)
}

type CodeKind = 'generated' | 'service' | 'own'

interface Code {
	/** The proposal, until changed. */
	readonly kind: CodeKind
	readonly canSeal: boolean
	readonly text: string
	readonly error: string | null
	setKind(kind: CodeKind): void
	setText(text: string): void
	/** `false` when the typed code is invalid; then it shows why. */
	submit(): boolean
	reset(): void
}

function useCode(): Code {
	const proposed = useProposedCode()
	const [chosen, setKind] = useState<CodeKind | null>(null)
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
		submit: () => {
			setTried(true)
			return problem === null
		},
		reset: () => {
			setKind(null)
			setText('')
			setTried(false)
		},
	}
}

const codeWords: Readonly<Record<CodeKind, string>> = {
	generated: words.codeGenerated,
	service: words.codeByService,
	own: 'My own',
}

/** Their defaults fit nearly always: one line tells them, and unfolds. */
function CodeAndLease({code, lease: {term, setTerm}}: {code: Code; lease: ReturnType<typeof useLease>}) {
	const [isUnfolded, unfold] = useState(false)
	const release = term.auto && term.hours !== null ? t.thenReleased : ''
	return (
		<Disclosure
			title={t.codeAndLease}
			summary={`${codeWords[code.kind]} · ${termWords(term.hours)}${release}`}
			isOpen={isUnfolded}
			onToggle={unfold}
		>
			<CodeChoice code={code} />
			<LeaseChoice term={term} onChange={setTerm} />
		</Disclosure>
	)
}

function CodeChoice({code}: {code: Code}) {
	return (
		<>
			<RadioGroup
				label={t.unlockCodeLocal}
				value={code.kind}
				onChange={code.setKind}
				options={(['generated', 'service', 'own'] as const).map(value => ({value, label: codeWords[value]}))}
				orientation="horizontal"
				{...(!code.canSeal && {description: nothingCanBeSealed})}
			/>
			{code.kind === 'own' ? (
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
			) : null}
		</>
	)
}

function codeProblem(code: string): string | null {
	const checked = unlockCodeSchema.safeParse(code)
	if (checked.success) return null
	return code === '' ? 'Type the code.' : `The code ${checked.error.issues[0]?.message ?? 'cannot be used'}.`
}
