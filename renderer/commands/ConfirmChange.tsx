import {useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import {type RawArgs, computerOf} from '#shared/commands/arguments.ts'
import type {RunOptions} from '#shared/commands/options.ts'
import type {KnownCommand} from '#shared/commands/parse.ts'
import type {Agreement} from '#shared/model/guard.ts'
import type {LeaseTerm} from '#shared/model/job.ts'

import {useActiveConnection, useWriteRefusal, useConnected} from '../api/active.tsx'
import {connectionTitle} from '../ui/connection-words.ts'
import {Dialog} from '../ui/Dialog.tsx'
import {KeyValue} from '../ui/KeyValue.tsx'
import {buttonWords, effectOf, shortId, targetArgument} from './effect.ts'
import {ConfirmButton} from './guard/ConfirmButton.tsx'
import {GuardNotes} from './guard/GuardNotes.tsx'
import {LeaseChoice} from './guard/LeaseChoice.tsx'
import {ReasonField} from './guard/ReasonFields.tsx'
import {TypedConfirmation} from './guard/TypedConfirmation.tsx'
import {useAgreement} from './guard/use-agreement.ts'
import {useJudgement, waitsForRules} from './guard/use-judgement.ts'
import {useLease} from './guard/use-lease.ts'
import {shownLine} from './masked.ts'
import {PreflightNotes, usePreflight} from './Preflight.tsx'
import {t} from './text.ts'
import type {RunRequest} from './use-run.ts'

type IsolationWish = NonNullable<RunRequest['isolation']>

export interface ConfirmChangeProps {
	readonly spec: KnownCommand
	readonly args: RawArgs
	/** Reason, ticket and confirmation from the line. */
	readonly options: RunOptions
	readonly onConfirm: (agreement: Agreement, isolation?: IsolationWish) => void
	readonly onCancel: () => void
}

/** Focus starts on *Cancel*, so that Enter sends nothing. */
export function ConfirmChange({spec, args, options, onConfirm, onCancel}: ConfirmChangeProps) {
	const connection = useActiveConnection()
	const target = useTarget(spec, args)
	const refusal = useWriteRefusal()
	const action = preflightActions[spec.name]
	const preflight = usePreflight(computerOf(args) ?? '', action ?? 'isolate', action !== undefined)
	const judgement = useJudgement(spec.name, args, true)
	const judged = judgement.answer?.judgement
	const said = reasonIn(spec, args) ?? options.reason
	const needsReason = said === undefined && (judged?.tier ?? 0) >= 2
	const fields = useAgreement({needsReason, confirm: options.confirm})
	const isolates = spec.risk === 'isolate'
	const lease = useTypedLease(options, isolates)
	const {act, sentence} = effectOf(spec, target)
	const confirm = () => {
		const agreement = fields.submit(judged)
		if (agreement === null || judged === undefined) return
		const {reason, ticket} = options
		const whole = {...(reason === undefined ? {} : {reason}), ...(ticket === undefined ? {} : {ticket}), ...agreement}
		onConfirm(whole, isolates ? {code: options.code ?? 'service', lease: lease.term} : undefined)
	}
	return (
		<Dialog
			title={`${spec.title}?`}
			cancel="first"
			onClose={onCancel}
			tone="connection"
			role="alertdialog"
			footer={
				<ConfirmButton
					judgement={judged}
					lock={refusal}
					reason={preflight.refusal ?? waitsForRules(judgement)}
					onConfirm={confirm}
				>
					{buttonWords(act, connection)}
				</ConfirmButton>
			}
		>
			<p>{sentence}</p>
			<KeyValue
				facts={[
					{name: 'Target', value: target},
					{name: 'Connection', value: connectionTitle(connection)},
					{name: 'Command', value: `!${shownLine(spec, args)}`, mono: true},
					...(isolates ? [{name: 'Unlock code', value: codeWords(args, options)}] : []),
				]}
			/>
			{action === undefined ? null : <PreflightNotes view={preflight} />}
			<GuardNotes view={judgement} />
			{needsReason ? <ReasonField fields={fields} description={t.lineNoReason} /> : null}
			{isolates ? <LeaseChoice term={lease.term} onChange={lease.setTerm} /> : null}
			<TypedConfirmation view={judgement} fields={fields} />
		</Dialog>
	)
}

/** From the line, else the guard rules' proposal, until the operator edits it. */
function useTypedLease({lease, autoRelease = false}: RunOptions, isNeeded: boolean) {
	const {term, setTerm} = useLease(isNeeded)
	const [touched, setTouched] = useState(false)
	const typed = {hours: lease === undefined ? term.hours : lease, auto: autoRelease}
	const choose = (next: LeaseTerm): void => {
		setTouched(true)
		setTerm(next)
	}
	return {term: touched ? term : typed, setTerm: choose}
}

function codeWords(args: RawArgs, {code}: RunOptions): string {
	if (args['unlock_code'] !== undefined) return 'The one on the line'
	return code === 'generated' ? t.codeGenerated : t.codeByService
}

/** Isolating and releasing use the comment as the reason. */
function reasonIn(spec: KnownCommand, args: RawArgs): string | undefined {
	const comment = args['comment'] ?? (spec.risk === 'release' ? args['unlock_code'] : undefined)
	return only(comment) ?? undefined
}

/** Changes for which the service is asked first whether they are possible now. */
const preflightActions: Readonly<Record<string, 'isolate' | 'release'>> = {
	svc_put_computers_isolation: 'isolate',
	svc_delete_computers_isolation: 'release',
}

/** Host and group names from local data, else the id. */
function useTarget(spec: KnownCommand, args: RawArgs): string {
	const {queries, connection} = useConnected()
	const computer = computerOf(args)
	const group = spec.name === 'svc_set_group_policy' ? only(args['group_guid']) : null
	const detail = useQuery(
		queries.computers.detail.queryOptions({input: {connection, guid: computer ?? ''}, enabled: computer !== undefined}),
	)
	const groups = useQuery(queries.groups.list.queryOptions({input: {connection}, enabled: group !== null}))
	const name = targetArgument(spec)
	const id = shortId(only(name === null ? undefined : args[name]) ?? 'the service')
	if (computer !== null) return detail.data?.row.hostname ?? id
	return groups.data?.find(each => each.guid === group)?.path.join(' ▸ ') ?? id
}

function only(given: string | readonly string[] | undefined): string | null {
	if (given === undefined) return null
	return typeof given === 'string' ? given : (given[0] ?? null)
}
