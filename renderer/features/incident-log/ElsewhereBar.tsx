import {useMemo} from 'react'

import type {ErrorReport} from '#contract/errors.ts'
import type {AuditState} from '#contract/log.ts'
import {asSentence} from '#shared/sentence.ts'
import {common} from '#text/common.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useApi, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {FailureBanner, Reason} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import {Checkbox} from '#ui/Field.tsx'
import styles from './IncidentLogScreen.module.css'
import {t} from './text.ts'

type Reading = ReturnType<typeof useAudit>

/** The state of a connection's audit log, and a function to load more; `null` without a connection. */
export function useAudit(active: string | null) {
	const {queries, cache} = useApi()
	const connection = active ?? ''
	const {data: state} = useAsked(q => q.log.audit, {input: {connection}, enabled: active !== null})
	const reading = useCall((client, all: boolean) => client.log.readAudit({connection, all}), {
		onSettled: () => cache.invalidateQueries({queryKey: queries.log.key()})
	})
	const {mutate: read, isPending, error} = reading
	return useMemo(() => ({state, isPending, error, read}), [state, isPending, error, read])
}

interface ElsewhereBarProps {
	audit: Reading
	isShown: boolean
	matching: number
	onShow: (isShown: boolean) => void
}

/** Whether the tenant's audit log is merged in, its age, and the cost of loading. */
export function ElsewhereBar({audit, isShown, matching, onShow}: ElsewhereBarProps) {
	const {state, isPending, error, read} = audit
	return (
		<>
			<div className={styles.elsewhere}>
				<Checkbox isSelected={isShown} onChange={onShow}>
					{t.changesOutsideCordon}
				</Checkbox>
				<span role="status" className="quiet">
					{isPending ? t.queryingTheServiceMore : state === undefined ? '' : elsewhereWords(state, matching, isShown)}
					{state === undefined || state.readAt === null || isPending ? null : (
						<>
							{' '}
							{triedWord(state)} <Time at={state.readAt} form="ago" /> {t.with(callWords(state.calls))}
						</>
					)}
				</span>
				{state !== undefined && (
					<Button small onPress={() => read(false)} reason={isPending ? t.loadingNow : null} tooltip={t.loadsService}>
						{state.readAt === null ? t.load : t.loadNewEntries}: {priceWords(state)}
					</Button>
				)}
			</div>
			<Failure error={error} />
			{state?.problem === undefined || state.problem === null ? null : <Problem state={state} audit={audit} />}
		</>
	)
}

function priceWords({price, complete}: AuditState) {
	return `${complete ? '' : 'at least '}${callWords(price)}`
}

function Problem({state, audit}: {state: AuditState; audit: Reading}) {
	const {problem, total} = state
	if (problem === null) return null
	const isCut = problem.code === 'incomplete'
	return (
		<FailureBanner
			error={problem}
			tone={problem.code === 'forbidden' ? 'info' : 'warning'}
			action={
				isCut ? (
					<Button onPress={() => audit.read(true)}>
						{t.loadEverything} {callWords(Math.ceil((total ?? 0) / 500))}
					</Button>
				) : undefined
			}
		>
			{problemWords(problem)} {problem.code === 'rate_limited' && <Reason error={problem} />}{' '}
			{isCut ? t.entriesInTotal(formatCount(total ?? 0)) : null}
		</FailureBanner>
	)
}

export function callWords(calls: number) {
	return counted(calls, nouns.call)
}

/** Their number, and the number omitted as our own. */
export function elsewhereWords(state: AuditState, matching: number, isShown: boolean) {
	const {elsewhere, own, readAt} = state
	if (elsewhere === 0 && (readAt === null || triedWord(state) !== 'Loaded')) return 'The service audit log has not been loaded yet.'
	const some = isShown && matching !== elsewhere ? `${formatCount(matching)} of ` : ''
	const repeated = own === 0 ? '' : ` ${formatCount(own)} more repeat entries of this log and are skipped.`
	return `${some}${counted(elsewhere, nouns.action)} outside Cordon.${repeated}`
}

/** A failed attempt does not count as loaded. */
export function triedWord({problem}: Pick<AuditState, 'problem'>): 'Loaded' | 'Tried' {
	return problem === null || problem.code === 'incomplete' ? 'Loaded' : 'Tried'
}

/** Why the last load failed or was incomplete; of an exhausted API limit only what it means. */
export function problemWords(problem: ErrorReport) {
	switch (problem.code) {
		case 'forbidden':
			return 'This API key may not read the service audit log. Earlier entries stay. The entries of Cordon are complete.'
		case 'unauthorized':
			return 'The service does not know this key: replace it under Connections. Our own entries are complete.'
		case 'rate_limited':
			return common.auditNotLoaded
		case 'incomplete':
			return 'Only the newest audit entries were loaded. Older changes outside Cordon are missing.'
		default:
			return `Changes outside Cordon may be missing: ${asSentence(problem.message)}`
	}
}
