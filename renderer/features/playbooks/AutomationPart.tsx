import {useState} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {Automation, AutomationView, Rule, Schedule} from '#model/automation.ts'
import type {PlaybookSummary} from '#model/playbook.ts'
import {useConnected, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RoleChecks} from '#commands/guard/RoleChecks.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {Loaded} from '#ui/States.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Select, optionsByName} from '#ui/Select.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './playbooks.module.css'
import {filledFrom, labelOf, valuesOf} from './StartDialog.tsx'
import {t} from './text.ts'

const everyMs = 5000

/** Automatic starts of playbooks, their last outcome, and missed ones. */
export function AutomationPart({playbooks}: {playbooks: readonly PlaybookSummary[]}) {
	const [edited, setEdited] = useState<Automation['kind'] | AutomationView | null>(null)
	const list = useAsked(q => q.automation.list, {refetchInterval: everyMs})
	const {refetch} = list
	const [removed, setRemoved] = useState<AutomationView | null>(null)
	const toggle = useCall((client, {id, enabled}: AutomationView) => client.automation.enable({id, enabled: !enabled}), {
		onSettled: () => void refetch()
	})
	return (
		<section className="stack" aria-label={t.schedulesAndRules}>
			<div className="cluster">
				<h2>{t.schedulesAndRules}</h2>
				<Button small onPress={() => setEdited('schedule')} opens>
					{t.newSchedule}
				</Button>
				<Button small onPress={() => setEdited('rule')} opens>
					{t.newRule}
				</Button>
			</div>
			<Failure error={toggle.error} />
			<Loaded of={list} label={t.schedulesAndRules} empty={<p className="quiet">{t.noAutomation}</p>}>
				{all => (
					<PlainTable>
						{all.map(one => (
							<Line
								key={one.id}
								one={one}
								playbook={playbooks.find(({id}) => id === one.playbook)?.name ?? one.playbook ?? t.onlyNotify}
								onToggle={() => toggle.mutate(one)}
								onEdit={() => setEdited(one)}
								onDelete={() => setRemoved(one)}
							/>
						))}
					</PlainTable>
				)}
			</Loaded>
			{edited !== null && (
				<AutomationDialog
					given={edited}
					playbooks={playbooks}
					onClose={() => {
						setEdited(null)
						void refetch()
					}}
				/>
			)}
			{removed !== null && (
				<RemoveDialog
					title={t.sure(t.deleteAutomation(removed.name))}
					act={t.delete}
					means={t.deleteAutomationMeans}
					call={client => client.automation.remove({id: removed.id})}
					onDone={() => void refetch()}
					onClose={() => setRemoved(null)}
				/>
			)}
		</section>
	)
}

interface LineProps {
	one: AutomationView
	playbook: string
	onToggle: () => void
	onEdit: () => void
	onDelete: () => void
}

function Line({one, playbook, onToggle, onEdit, onDelete}: LineProps) {
	return tableRow(
		one.id,
		one.name,
		one.kind === 'schedule' ? `${one.times} (${one.timeZone})` : one.filter,
		playbook,
		<TenantMark tenant={{id: one.connection}} />,
		<>
			{!one.enabled && <Tag tone="hold">{t.paused}</Tag>}
			{one.onHold !== null && (
				<span title={one.onHold}>
					<Tag tone="warn">{t.onHold}</Tag>
				</span>
			)}
			{one.next !== null && (
				<>
					{t.next} <Time at={one.next} form="exact" />
				</>
			)}
		</>,
		<Last one={one} />,
		<>
			<Button small onPress={onToggle} aria-label={one.enabled ? t.pauseAutomation(one.name) : t.resumeAutomation(one.name)}>
				{one.enabled ? t.pause : t.resume}
			</Button>{' '}
			<Button small onPress={onEdit} aria-label={t.editNamed(one.name)} opens>
				{t.editMore}
			</Button>{' '}
			<Button small onPress={onDelete} aria-label={t.deleteAutomation(one.name)} opens>
				{t.deleteMore}
			</Button>
		</>
	)
}

function Last({one: {last}}: {one: AutomationView}) {
	if (last === null) return null
	const words = (
		<>
			{last.outcome} <Time at={last.at} />
		</>
	)
	return (
		<span title={last.message}>
			{last.run === null ? words : <Link href={`/playbooks/${last.run}`}>{words}</Link>}
			{last.outcome === 'missed' && ` ${last.message}`}
		</span>
	)
}

interface Props {
	/** Its kind, if it is new. */
	given: Automation['kind'] | AutomationView
	playbooks: readonly PlaybookSummary[]
	onClose: () => void
}

/** A schedule or a rule. Refuses what would be refused at its time. */
function AutomationDialog(props: Props) {
	const it = useAutomationDialog(props)
	const {one, change, choose, chosen, whole, save, field, options} = it
	const isRule = one.kind === 'rule'
	const empty = chosen?.inputs.find(({name}) => (one.variables[name] ?? '') === '')
	const missing = one.name.trim() === '' ? t.name : one.playbook === '' ? t.playbook : empty === undefined ? null : labelOf(empty)
	return (
		<Dialog
			title={isRule ? t.rule : t.schedule}
			cancel
			onClose={props.onClose}
			act={[t.save, () => save.mutate(), missing === null ? (save.isPending ? t.inProgress : null) : t.missing(missing)]}
		>
			<div className="stack">
				{field('name', t.name, one.name, name => change({name}))}
				<WhenFields it={it} />
				<Select
					label={t.playbook}
					value={one.playbook ?? ''}
					options={isRule ? [{value: '', label: t.onlyNotify}, ...options] : options}
					onChange={choose}
				/>
				{chosen?.inputs.map(input =>
					field(input.name, labelOf(input), one.variables[input.name] ?? '', text => change({variables: {...one.variables, [input.name]: text}}))
				)}
				<Failure error={it.failed.times} />
				<Failure error={it.failed.save} />
				{whole.kind === 'rule' && <Trial key={JSON.stringify(whole)} rule={whole} />}
			</div>
		</Dialog>
	)
}

type AutomationDialogState = ReturnType<typeof useAutomationDialog>

function WhenFields({it: {one, change, limits, setLimits, upcoming, field}}: {it: AutomationDialogState}) {
	return one.kind === 'schedule' ? (
		<>
			{field('times', t.times, one.times, times => change({times}))}
			{field('timeZone', t.timeZone, one.timeZone, timeZone => change({timeZone}))}
			<p className="quiet">
				{upcoming?.slice(0, 3).map(at => (
					<span key={at}>
						{t.next} <Time at={at} form="exact" />{' '}
					</span>
				))}
			</p>
			<Select
				label={t.missedTimes}
				value={one.missed}
				options={[
					{value: 'skip', label: t.missedSkip},
					{value: 'once', label: t.missedOnce}
				]}
				onChange={missed => change({missed})}
			/>
		</>
	) : (
		<>
			{field('filter', t.filter, one.filter, filter => change({filter}))}
			<fieldset>
				<legend>{t.role}</legend>
				<RoleChecks of={one.roles} onChange={roles => change({roles})} />
			</fieldset>
			<div className="fields">
				{field('most', t.most, limits.most, most => setLimits({...limits, most}))}
				{field('minutes', t.minutes, limits.minutes, minutes => setLimits({...limits, minutes}))}
			</div>
		</>
	)
}

const ownFields = new Set(['name', 'times', 'timeZone', 'filter', 'most', 'minutes'])

function useAutomationDialog({given, playbooks, onClose}: Props) {
	const {connection} = useConnected()
	const before = typeof given === 'string' ? undefined : given
	const [one, setOne] = useState(() => (typeof given === 'string' ? firstOf(given, connection) : given))
	const {most, minutes} = one.kind === 'rule' ? one : ruleLimits
	const [limits, setLimits] = useState({most: String(most), minutes: String(minutes)})
	const change = (part: Partial<Schedule> | Partial<Rule>) => setOne({...one, ...part} as Automation)
	const whole: Automation = one.kind === 'rule' ? {...one, most: Number(limits.most), minutes: Number(limits.minutes)} : one
	const isSchedule = one.kind === 'schedule'
	const pattern = isSchedule ? {times: one.times, timeZone: one.timeZone} : {times: '', timeZone: ''}
	const times = useAsked(q => q.automation.times, {input: pattern, enabled: isSchedule, retry: false})
	const save = useCall(client => client.automation.save({...whole, before}), {onSuccess: onClose})
	const errors = [times.error, save.error]
	const chosen = playbooks.find(({id}) => id === one.playbook)
	const unplaced = (error: CordonError | null) => {
		const at = error?.details.field
		return at !== undefined && (ownFields.has(at) || chosen?.inputs.some(({name}) => name === at) === true) ? null : error
	}
	const field = (name: string, label: string, value: string, set: (text: string) => void) => (
		<TextField
			key={name}
			{...{label, value}}
			onChange={set}
			error={errors.find(error => error?.details.field === name)?.message ?? null}
			autoFocus={name === 'name'}
		/>
	)
	/** A rule's playbook is given what the event names. */
	const choose = (id: string) => {
		const inputs = playbooks.find(each => each.id === id)?.inputs ?? []
		const values = isSchedule ? {} : {computer: '{hostname}', sha256: '{sha256}'}
		change({playbook: id === '' && !isSchedule ? null : id, variables: valuesOf(inputs, filledFrom(inputs, values))})
	}
	const options = optionsByName(playbooks.filter(({signature: {state}}) => state === 'library' || state === 'trusted'))
	return {
		...{one, change, choose, limits, setLimits, whole, save, chosen, field, options},
		...{upcoming: times.data, failed: {times: unplaced(times.error), save: unplaced(save.error)}}
	}
}

const ruleLimits = {most: 5, minutes: 60}

function firstOf(kind: Automation['kind'], connection: string): Automation {
	const common = {id: '', name: '', connection, enabled: true, variables: {}}
	if (kind === 'rule') return {...common, ...ruleLimits, kind, filter: 'severity=critical', roles: ['server'], playbook: null}
	const {timeZone} = Intl.DateTimeFormat().resolvedOptions()
	return {...common, kind, playbook: '', times: '0 6 * * MON-FRI', timeZone, missed: 'skip'}
}

function Trial({rule}: {rule: Rule}) {
	const test = useCall(client => client.automation.test({rule: {...rule, name: rule.name || t.rule}, days: 7}))
	const held = test.data?.rows.filter(({outcome}) => outcome === 'limited').length ?? 0
	return (
		<div className="fields">
			<Button onPress={() => test.mutate()}>{t.test}</Button>
			{test.error !== null && <span className={styles.bad}>{test.error.message}</span>}
			{test.data !== undefined && <span>{t.wouldAct(test.data.rows.length - held, held)}</span>}
		</div>
	)
}
