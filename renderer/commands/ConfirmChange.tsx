import {useState} from 'react'

import {type RawArgs, computerOf} from '#shared/commands/arguments.ts'
import type {RunOptions} from '#shared/commands/options.ts'
import type {KnownCommand} from '#shared/commands/parse.ts'
import type {Agreement} from '#model/guard.ts'
import type {LeaseTerm} from '#model/job.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnection, useAskedHere} from '#api/hooks.tsx'
import {connectionTitle} from '#ui/connection-words.ts'
import {KeyValue, fact} from '#ui/Facts.tsx'
import {ChangeDialog} from './change/ChangeDialog.tsx'
import {useConsent} from './change/use-consent.ts'
import {effectOf, shortId, targetArgument} from './effect.ts'
import {CodeAndLease} from './guard/LeaseChoice.tsx'
import {useLease} from './guard/use-lease.ts'
import {shownLine} from './masked.ts'
import {PreflightNotes, usePreflight} from './Preflight.tsx'
import {t} from './text.ts'
import type {RunRequest} from './use-run.ts'

type IsolationWish = NonNullable<RunRequest['isolation']>

interface ConfirmChangeProps {
	spec: KnownCommand
	args: RawArgs
	/** Reason, ticket and confirmation from the line. */
	options: RunOptions
	onConfirm: (agreement: Agreement, isolation?: IsolationWish) => void
	onCancel: () => void
}

/** Focus starts on *Cancel*, so that Enter sends nothing. */
export function ConfirmChange({spec, args, options, onConfirm, onCancel}: ConfirmChangeProps) {
	const connection = useActiveConnection()
	const target = useTarget(spec, args)
	const action = preflightActions[spec.name]
	const preflight = usePreflight(computerOf(args) ?? '', action ?? 'isolate', action !== undefined)
	const said = reasonIn(spec, args) ?? options.reason
	const {name} = spec
	const change = useConsent({name, args, reason: said === undefined ? 'guarded' : 'given', confirm: options.confirm})
	const isolates = spec.risk === 'isolate'
	const lease = useTypedLease(options, isolates)
	const {act, sentence} = effectOf(spec, target)
	const confirm = () => {
		const agreement = change.give()
		if (agreement === null) return
		const {reason, ticket} = options
		const whole = {...omitUndefined({reason, ticket}), ...agreement}
		onConfirm(whole, isolates ? {code: options.code ?? 'service', lease: lease.term} : undefined)
	}
	return (
		<ChangeDialog
			title={`${spec.title}?`}
			act={act}
			role="alertdialog"
			change={change}
			waits={preflight.refusal}
			reasonNote={t.lineNoReason}
			options={isolates ? <CodeAndLease code={codeWords(args, options)} term={lease.term} onChange={lease.setTerm} /> : null}
			cancelsFirst
			onClose={onCancel}
			onConfirm={confirm}
		>
			<p>{sentence}</p>
			<KeyValue
				facts={[fact('Target', target), fact('Connection', connectionTitle(connection)), fact('Command', `!${shownLine(spec, args)}`, 'mono')]}
			/>
			{action !== undefined && <PreflightNotes view={preflight} />}
		</ChangeDialog>
	)
}

/** From the line, else the guard rules' proposal, until the operator edits it. */
function useTypedLease({lease, autoRelease = false}: RunOptions, isNeeded: boolean) {
	const {term, setTerm} = useLease(isNeeded)
	const [touched, setTouched] = useState(false)
	const typed = {hours: lease === undefined ? term.hours : lease, auto: autoRelease}
	const choose = (next: LeaseTerm) => {
		setTouched(true)
		setTerm(next)
	}
	return {term: touched ? term : typed, setTerm: choose}
}

function codeWords(args: RawArgs, {code}: RunOptions) {
	if (args['unlock_code'] !== undefined) return 'The one on the line'
	return code === 'generated' ? t.codeGenerated : t.codeByService
}

/** Isolating and releasing use the comment as the reason. */
function reasonIn(spec: KnownCommand, args: RawArgs) {
	const comment = args['comment'] ?? (spec.risk === 'release' ? args['unlock_code'] : undefined)
	return only(comment) ?? undefined
}

/** Changes for which the service is asked first whether they are possible now. */
const preflightActions: Readonly<Record<string, 'isolate' | 'release'>> = {
	svc_put_computers_isolation: 'isolate',
	svc_delete_computers_isolation: 'release'
}

/** Host and group names from local data, else the id. */
function useTarget(spec: KnownCommand, args: RawArgs) {
	const computer = computerOf(args)
	const group = spec.name === 'svc_set_group_policy' ? only(args['group_guid']) : null
	const detail = useAskedHere(q => q.computers.detail, {guid: computer ?? ''}, {enabled: computer !== undefined})
	const groups = useAskedHere(q => q.groups.list, {}, {enabled: group !== null})
	const name = targetArgument(spec)
	const id = shortId(only(name === null ? undefined : args[name]) ?? 'the service')
	if (computer !== undefined) return detail.data?.row.hostname ?? id
	return groups.data?.find(each => each.guid === group)?.path.join(' ▸ ') ?? id
}

function only(given: string | readonly string[] | undefined) {
	if (given === undefined) return null
	return typeof given === 'string' ? given : (given[0] ?? null)
}
