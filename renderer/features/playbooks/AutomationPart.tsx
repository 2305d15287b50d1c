import {useMutation, useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import type {Automation, AutomationView, Rule, Schedule} from '#shared/model/automation.ts'
import {computerRoles, computerRoleTitles} from '#shared/model/guard.ts'
import type {PlaybookSummary} from '#shared/model/playbook.ts'
import {useActiveConnection} from '../../api/active.tsx'
import {useApi} from '../../api/ApiProvider.tsx'
import {Failure} from '../../commands/Failure.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {TextField} from '../../ui/Field.tsx'
import {Link} from '../../ui/Link.tsx'
import {Loaded} from '../../ui/Loaded.tsx'
import {PlainTable} from '../../ui/PlainTable.tsx'
import {Select} from '../../ui/Select.tsx'
import {Tag} from '../../ui/Tag.tsx'
import {Time} from '../../ui/Time.tsx'
import styles from './playbooks.module.css'
import {t} from './text.ts'

const everyMs = 5000

/** Automatic starts of playbooks, their last outcome, and missed ones. */
export function AutomationPart({playbooks}: {playbooks: readonly PlaybookSummary[]}) {
	const {queries, client} = useApi()
	const [edited, setEdited] = useState<Automation['kind'] | null>(null)
	const list = useQuery({...queries.automation.list.queryOptions(), refetchInterval: everyMs})
	const {refetch} = list
	const act = useMutation({mutationFn: (work: () => Promise<unknown>) => work(), onSettled: () => void refetch()})
	const toggle = ({since: _since, next: _next, last: _last, ...one}: AutomationView): void =>
		act.mutate(() => client.automation.save({...one, enabled: !one.enabled}))
	return (
		<section className="stack" aria-label={t.schedulesAndRules}>
			<div className="fields">
				<h2>{t.schedulesAndRules}</h2>
				<Button size="small" onPress={() => setEdited('schedule')} aria-haspopup="dialog">
					{t.newSchedule}
				</Button>
				<Button size="small" onPress={() => setEdited('rule')} aria-haspopup="dialog">
					{t.newRule}
				</Button>
			</div>
			<Failure error={act.error} />
			<Loaded of={list} label={t.schedulesAndRules}>
				{all =>
					all.length === 0 ? (
						<p className="quiet">{t.noAutomation}</p>
					) : (
						<PlainTable>
							{all.map(one => (
								<tr key={one.id}>
									<th scope="row">{one.name}</th>
									<td>{one.kind === 'schedule' ? `${one.times} (${one.timeZone})` : one.filter}</td>
									<td>{playbooks.find(({id}) => id === one.playbook)?.name ?? one.playbook ?? t.onlyNotify}</td>
									<td>
										{one.enabled ? null : <Tag tone="hold">{t.paused}</Tag>}
										{one.next === null ? null : (
											<>
												{t.next} <Time at={one.next} />
											</>
										)}
									</td>
									<td>
										<Last one={one} />
									</td>
									<td>
										<Button
											size="small"
											onPress={() => toggle(one)}
											aria-label={one.enabled ? t.pauseAutomation(one.name) : t.resumeAutomation(one.name)}
										>
											{one.enabled ? t.pause : t.resume}
										</Button>{' '}
										<Button
											size="small"
											onPress={() => act.mutate(() => client.automation.remove({id: one.id}))}
											aria-label={t.deleteAutomation(one.name)}
										>
											{t.delete}
										</Button>
									</td>
								</tr>
							))}
						</PlainTable>
					)
				}
			</Loaded>
			{edited === null ? null : (
				<AutomationDialog
					kind={edited}
					playbooks={playbooks}
					onClose={() => {
						setEdited(null)
						void refetch()
					}}
				/>
			)}
		</section>
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
			{last.outcome === 'missed' ? ` ${last.message}` : null}
		</span>
	)
}

interface Props {
	kind: Automation['kind']
	playbooks: readonly PlaybookSummary[]
	onClose: () => void
}

/** A schedule or a rule. Refuses what would be refused at its time. */
function AutomationDialog(props: Props) {
	const it = useAutomationDialog(props)
	const {kind, onClose, values, setValues, playbook, setPlaybook, one, chosen, whole, save, error, field, options} = it
	return (
		<Dialog
			title={kind === 'schedule' ? t.schedule : t.rule}
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button
						tone="primary"
						onPress={() => save.mutate()}
						reason={
							one.name.trim() === '' ? t.missing(t.name) : kind === 'schedule' && playbook === '' ? t.missing(t.playbook) : null
						}
					>
						{t.save}
					</Button>
				</>
			}
		>
			<div className="stack">
				{field('name', t.name, one.name, name => ({name}))}
				<WhenFields it={it} />
				<Select
					label={t.playbook}
					value={playbook}
					options={kind === 'rule' ? [{value: '', label: t.onlyNotify}, ...options] : options}
					onChange={setPlaybook}
				/>
				{chosen?.inputs.map(({name, description}) => (
					<TextField
						key={name}
						label={description === '' ? name.replaceAll('__', '') : description}
						value={values[name] ?? (kind === 'rule' && name === '__computer__' ? '{hostname}' : '')}
						onChange={text => setValues({...values, [name]: text})}
						error={error?.details.field === name ? error.message : null}
					/>
				))}
				{error === null ? null : <Banner tone="bad">{error.message}</Banner>}
				{whole.kind === 'rule' ? <Trial rule={whole} /> : null}
			</div>
		</Dialog>
	)
}

function WhenFields({it}: {it: AutomationDialogState}) {
	const {one, setOne, field} = it
	return one.kind === 'schedule' ? (
		<>
			{field('times', t.times, one.times, times => ({times}))}
			{field('timeZone', t.timeZone, one.timeZone, timeZone => ({timeZone}))}
			<NextTimes one={one} />
			<Select
				label={t.missedTimes}
				value={one.missed}
				options={[
					{value: 'skip', label: t.missedSkip},
					{value: 'once', label: t.missedOnce},
				]}
				onChange={missed => setOne({...one, missed})}
			/>
		</>
	) : (
		<>
			{field('filter', t.filter, one.filter, filter => ({filter}))}
			<Select
				label={t.role}
				value={one.roles[0] ?? ''}
				options={[
					{value: '', label: t.everyComputer},
					...computerRoles.map(value => ({value, label: computerRoleTitles[value]})),
				]}
				onChange={role => setOne({...one, roles: computerRoles.filter(each => each === role)})}
			/>
			<div className="fields">
				{field('most', t.most, String(one.most), text => ({most: Number(text) || 1}))}
				{field('minutes', t.minutes, String(one.minutes), text => ({minutes: Number(text) || 1}))}
			</div>
		</>
	)
}

type AutomationDialogState = ReturnType<typeof useAutomationDialog>

function useAutomationDialog({kind, playbooks, onClose}: Props) {
	const {client} = useApi()
	const {id: connection} = useActiveConnection()
	const [values, setValues] = useState<Readonly<Record<string, string>>>({})
	const [playbook, setPlaybook] = useState('')
	const [one, setOne] = useState<Schedule | Rule>(() => firstOf(kind, connection))
	const chosen = playbooks.find(({id}) => id === playbook)
	const whole = {...one, playbook: playbook === '' && kind === 'rule' ? null : playbook, variables: values} as Automation
	const save = useMutation({mutationFn: () => client.automation.save(whole), onSuccess: onClose})
	const {error} = save
	const field = (name: string, label: string, value: string, set: (text: string) => Partial<Schedule> | Partial<Rule>) => (
		<TextField
			label={label}
			value={value}
			onChange={text => setOne({...one, ...set(text)} as Schedule | Rule)}
			error={error?.details.field === name ? error.message : null}
		/>
	)
	const options = playbooks
		.filter(({signature: {state}}) => state === 'library' || state === 'trusted')
		.map(({id, name}) => ({value: id, label: name}))
	return {
		...{kind, onClose, values, setValues, playbook, setPlaybook, one, setOne, chosen, whole, save, error, field},
		...{options},
	}
}

function firstOf(kind: Automation['kind'], connection: string): Schedule | Rule {
	const common = {id: '', name: '', connection, enabled: true, variables: {}}
	if (kind === 'rule')
		return {...common, kind, filter: 'severity=critical', roles: ['server'], playbook: null, most: 5, minutes: 60}
	const {timeZone} = Intl.DateTimeFormat().resolvedOptions()
	return {...common, kind, playbook: '', times: '0 6 * * MON-FRI', timeZone, missed: 'skip'}
}

function NextTimes({one: {times, timeZone}}: {one: Schedule}) {
	const {queries} = useApi()
	const {data, error} = useQuery({...queries.automation.times.queryOptions({input: {times, timeZone}}), retry: false})
	if (error !== null) return <p className={styles.bad}>{error.message}</p>
	return (
		<p className="quiet">
			{data?.slice(0, 3).map(at => (
				<span key={at}>
					{t.next} <Time at={at} />{' '}
				</span>
			))}
		</p>
	)
}

function Trial({rule}: {rule: Rule}) {
	const {client} = useApi()
	const test = useMutation({mutationFn: () => client.automation.test({rule: {...rule, name: rule.name || t.rule}, days: 7})})
	const held = test.data?.rows.filter(({outcome}) => outcome === 'limited').length ?? 0
	return (
		<div className="fields">
			<Button onPress={() => test.mutate()}>{t.test}</Button>
			{test.error === null ? null : <span className={styles.bad}>{test.error.message}</span>}
			{test.data === undefined ? null : <span>{t.wouldAct(test.data.rows.length - held, held)}</span>}
		</div>
	)
}
