import {useMemo, useRef, useState} from 'react'

import {formatShare} from '#text/numbers.ts'
import {actVerbs, actWords, nounOf, targetsWords} from '#text/acts.ts'
import {useWriteRefusal} from '#api/hooks.tsx'
import {type BulkKind, useUi} from '#state/ui.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {optionsOf, Select} from '#ui/Select.tsx'
import {RadioGroup} from '#ui/Field.tsx'
import {ChangeFrame} from '../change/ChangeFrame.tsx'
import type {ChosenPolicies} from '../directory/assignable.ts'
import {NoChoices} from '../directory/NoChoices.tsx'
import {PolicyChoices} from '../directory/PolicyChoices.tsx'
import {usePolicies} from '../directory/use-directory.ts'
import {CodeAndLease} from '../guard/LeaseChoice.tsx'
import {ReasonField, ReasonFields} from '../guard/ReasonFields.tsx'
import {useAgreement} from '../guard/use-agreement.ts'
import {useProposedCode, useProposedLease} from '../guard/use-lease.ts'
import {actionOf, type BulkForm, type BulkProblems, problemsOf, splitOff, usualStopShare} from './bulk-parts.ts'
import {GroupField} from '../move/GroupField.tsx'
import {t as words} from '../text.ts'
import {PlanFailure} from './DriftList.tsx'
import styles from './jobs.module.css'
import {JobLink, PlanStep, SavePlan, SendPlan} from './PlanStep.tsx'
import {type TargetsChoice, TargetsField, targetsOfChoice} from './TargetsField.tsx'
import {t} from './text.ts'
import {usePlanFlow} from './use-plan-flow.ts'

export function BulkOverlay() {
	const bulk = useUi(ui => ui.bulk)
	const close = useUi(ui => ui.closeBulk)
	return bulk && <BulkDialog kind={bulk.kind} selection={bulk.targets} onClose={close} />
}

interface BulkDialogProps {
	kind: BulkKind
	selection: readonly string[]
	onClose: () => void
}

/** Changes many computers, or the policies of many groups: form, plan, confirmation, job. Only the last button sends. */
function BulkDialog({kind, selection, onClose}: BulkDialogProps) {
	const bulk = useBulk(kind, selection)
	const {isPlanned, parts, part} = bulk
	const flow = parts[part]
	const counted = isPlanned ? (flow.plan?.targets ?? (part === 'main' ? bulk.targets : bulk.open)).length : bulk.targets.length
	const title = counted === 0 ? `${actVerbs[kind]} ${nounOf(kind, 2)}` : actWords(kind, counted)
	if (!isPlanned)
		return (
			<ChangeFrame
				{...{title, onClose}}
				size="large"
				price={<span className="quiet">{t.nothingSent}</span>}
				confirm={
					<Button tone="primary" onPress={bulk.plan}>
						{t.createPlan}
					</Button>
				}
			>
				<Form bulk={bulk} selection={selection} />
			</ChangeFrame>
		)
	return (
		<ChangeFrame
			{...{title, onClose}}
			size="large"
			cancelsFirst
			isDone={flow.job !== null}
			before={bulk.isFresh ? <Button onPress={bulk.back}>{t.back}</Button> : <JobLink flow={flow} />}
			price={<SavePlan flow={flow} />}
			confirm={<SendPlan flow={flow} />}
		>
			<Planned bulk={bulk} />
		</ChangeFrame>
	)
}

const effects: Readonly<Record<BulkKind, string>> = {
	isolate:
		'The network traffic of each computer is cut, except to the service itself and to what its policy allows during isolation. Users notice. Isolations never expire in the service.',
	release: 'Each computer is back on the network once its agent answers. A release is never held back by waves.',
	move: 'Each computer goes into the group and gets its policies. It can be undone for 24 hours.',
	policies:
		'Each group gets these policies as its own, and its computers follow with their next policy sync. It can be undone for 24 hours, but not to inheriting.'
}

function Form({bulk, selection}: {bulk: Bulk; selection: readonly string[]}) {
	const {kind, fields, form, change, problems, parts} = bulk
	const lock = useWriteRefusal()
	const {failed, drift} = parts.main
	return (
		<div className={styles.form}>
			{lock !== null && (
				<Banner tone="warning">
					{lock} {t.youStillCreate}
				</Banner>
			)}
			{failed !== null && <PlanFailure error={failed} drift={drift} onAgain={bulk.plan} />}
			<p>{effects[kind]}</p>
			<TargetsField
				kind={kind}
				selection={selection}
				choice={bulk.choice}
				count={bulk.targets.length}
				onChange={bulk.setChoice}
				problem={problems.targets}
			/>
			{kind === 'move' && (
				<GroupField
					chosen={form.group}
					onChoose={group => change({group})}
					problem={problems.group}
					description={t.eachComputers}
					autoFocus={selection.length > 0}
				/>
			)}
			{kind === 'policies' && <PoliciesField chosen={form.policies} onChange={policies => change({policies})} problem={problems.policies} />}
			{kind === 'isolate' || kind === 'release' ? (
				<ReasonFields fields={fields} kind={kind} />
			) : (
				<ReasonField fields={fields} description={t.keptInLog} />
			)}
			{kind === 'isolate' && (
				<CodeAndLease code={codeWords[form.code]} term={form.lease} onChange={lease => change({lease})}>
					<RadioGroup
						label={t.unlockCodes}
						value={form.code}
						onChange={code => change({code})}
						options={optionsOf(['generated', 'service'] as const, codeWords)}
						orientation="horizontal"
					/>
				</CodeAndLease>
			)}
			<StopShareField share={form.stopShare} onChange={stopShare => change({stopShare})} />
		</div>
	)
}

const codeWords = {generated: 'Random for each, stored encrypted', service: words.codeByService} as const

function Planned({bulk}: {bulk: Bulk}) {
	const {parts, part, split, open, choosePart, kind} = bulk
	const {plan} = parts.main
	return (
		<>
			{split.length !== 0 && plan !== null && parts.main.phase !== 'planning' && (
				<RadioGroup
					label={t.twoListsEach}
					value={part}
					onChange={choosePart}
					options={[
						{value: 'main', label: `${targetsWords(kind, plan.targets.length)}${applied(parts.main.job)}`},
						{
							value: 'servers',
							label: `${targetsWords(kind, open.length || split.length)} on which others may depend${applied(open.length === 0 ? parts.servers.job : null)}`
						}
					]}
					description={t.serversOther}
				/>
			)}
			<PlanStep key={part} flow={parts[part]} />
		</>
	)
}

function applied(job: string | null) {
	return job === null ? '' : ' · under way'
}

interface PoliciesFieldProps {
	chosen: ChosenPolicies
	onChange: (chosen: ChosenPolicies) => void
	problem: string | null
}

/** Policies for all the groups; the plan shows their present ones. */
function PoliciesField({chosen, onChange, problem}: PoliciesFieldProps) {
	const copy = usePolicies()
	const {items: policies = []} = copy
	return (
		<div className={styles.part} role="group" aria-label={t.policies}>
			<PolicyChoices policies={policies} chosen={chosen} onChange={onChange} />
			<NoChoices copy={copy} many="policies" isNone={policies.length === 0} />
			{problem !== null && <Banner tone="bad">{problem}</Banner>}
		</div>
	)
}

interface StopShareFieldProps {
	/** 0 to 1. */
	share: number
	onChange: (share: number) => void
}

const shares = [0, 0.05, 0.1, 0.2, 0.5, 1]

function StopShareField({share, onChange}: StopShareFieldProps) {
	return (
		<Select
			label={t.stopAfterFailures}
			value={String(share)}
			options={shares.map(each => ({value: String(each), label: wordsOf(each), ...(each === usualStopShare && {detail: 'default'})}))}
			onChange={value => onChange(Number(value))}
			description={t.shareFailures}
		/>
	)
}

function wordsOf(share: number) {
	if (share === 0) return 'the first one'
	return share === 1 ? 'never: all are tried' : `more than ${formatShare(share)}`
}

type Bulk = ReturnType<typeof useBulk>

type Choices = Omit<BulkForm, 'reason' | 'ticket'>

const quiet: BulkProblems = {targets: null, group: null, policies: null}

function useBulk(kind: BulkKind, selection: readonly string[]) {
	const fields = useAgreement()
	const [choice, setChoice] = useState<TargetsChoice>({from: selection.length === 0 ? 'text' : 'selection', text: ''})
	const proposed = useProposedLease(kind === 'isolate')
	const {code} = useProposedCode()
	const [chosen, setChosen] = useState<Partial<Choices>>({})
	const [tried, setTried] = useState(false)
	const [part, setPart] = useState<'main' | 'servers'>('main')
	const main = usePlanFlow(null, false)
	const servers = usePlanFlow(null, true)
	/** The plan that split the servers off. */
	const splitBy = useRef<string>(null)
	/** Servers of earlier splits whose job has begun. */
	const [begun, setBegun] = useState<readonly string[]>([])
	const form: BulkForm = {
		...{code, lease: proposed, group: null, policies: {}, stopShare: usualStopShare},
		...chosen,
		reason: fields.reason,
		ticket: fields.ticket
	}
	const targets = useMemo(() => targetsOfChoice(choice, selection), [choice, selection])
	/** Ids that the plan has split off. */
	const split = main.plan === null ? [] : splitOff(main.plan)
	const sent = new Set([...begun, ...((servers.job === null ? null : servers.plan)?.targets ?? []).map(({id}) => id)])
	/** Those of them that no job has yet. */
	const open = split.filter(id => !sent.has(id))
	const plan = () => {
		setTried(true)
		fields.submit(undefined)
		const action = actionOf(kind, form)
		if (action === null || targets.length === 0) return
		void main.make({action, targets, stopShare: form.stopShare})
	}
	const choosePart = (next: 'main' | 'servers') => {
		setPart(next)
		const action = actionOf(kind, form)
		// The main plan may have been made again, with another split.
		const isNew = splitBy.current !== main.plan?.id && servers.phase !== 'applying' && open.length > 0
		if (next !== 'servers' || (servers.phase !== 'none' && !isNew) || action === null) return
		setBegun([...sent])
		splitBy.current = main.plan?.id ?? null
		// A new plan that fails must not leave the old one to be sent.
		servers.reset()
		void servers.make({action, targets: open, reviewed: true, stopShare: form.stopShare})
	}
	return {
		...{kind, fields, choice, form, targets, setChoice, plan, choosePart, part, split, open},
		isFresh: main.job === null && sent.size === 0,
		problems: tried ? problemsOf(kind, form, targets.length) : quiet,
		change: (next: Partial<Choices>) => setChosen(old => ({...old, ...next})),
		/** The plan has replaced the form. */
		isPlanned: main.phase !== 'none',
		/** Targets that may be sent at once, and servers that are reviewed separately. */
		parts: {main, servers},
		/** Returns to the form; nothing was sent. */
		back: () => {
			main.reset()
			servers.reset()
			setPart('main')
		}
	}
}
