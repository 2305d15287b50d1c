import {useState} from 'react'

import {approvalOf, pointersOf, type StepApproval, type WorkflowStep} from '#model/playbook-document.ts'
import {useAsked} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {TextArea, TextField, Checkbox} from '#ui/Field.tsx'
import {type Option, Select} from '#ui/Select.tsx'
import {kindTitles} from '../steps.ts'
import {t} from '../text.ts'
import {
	addBranch,
	addStep,
	changeApproval,
	changeCommand,
	changeStep,
	type Draft,
	lead,
	type NewStep,
	nextField,
	removeStep,
	requestTemplates,
	resultName
} from './edit.ts'
import styles from './Editor.module.css'
import {type OfStep, type StepFormProps, variablesOf} from './form-props.ts'
import {faultIn} from './Problems.tsx'

export function StepForm(props: StepFormProps) {
	const {draft, id, issues, isFocused, onChange, onChoose} = props
	const step = draft.workflow[id]
	if (step === undefined) return null
	const isEdge = step.type === 'start' || step.type === 'end'
	return (
		<div className={styles.fields}>
			<div className="fields">
				<strong>{kindOf(step)}</strong>
				<span className="spring" />
				{!isEdge && (
					<Button
						small
						onPress={() => {
							onChange(removeStep(draft, id))
							onChoose(null)
						}}
					>
						{t.removeStep}
					</Button>
				)}
				<Button small onPress={() => onChoose(null)} autoFocus={isFocused && isEdge}>
					{t.editPlaybook}
				</Button>
			</div>
			{!isEdge && (
				<TextField
					label={t.name}
					autoFocus={isFocused}
					value={step.name ?? ''}
					onChange={name => onChange(changeStep(draft, id, {name}), `${id} name`)}
				/>
			)}
			{step.condition !== undefined && <Expression {...props} field="condition" label={t.condition} />}
			{step.switch !== undefined && <Expression {...props} field="switch" label={t.lookedAt} />}
			{step.type === 'action' && <ActionFields {...props} step={step} />}
			{step.type === 'playbook-action' && <OtherPlaybook {...props} />}
			{step.type !== 'end' && <Ways {...props} step={step} />}
			{!isEdge && <Times {...props} step={step} />}
			{step.type !== 'end' && <AddStep {...props} step={step} />}
			{!isEdge && <p className="quiet">{faultIn(issues, id, 'type')}</p>}
		</div>
	)
}

function kindOf({type, commands}: WorkflowStep) {
	return kindTitles[commands?.[0]?.type === 'manual' ? 'manual' : type]
}

interface ExpressionProps extends StepFormProps {
	field: 'condition' | 'switch'
	label: string
}

function Expression({draft, id, issues, onChange, field, label}: ExpressionProps) {
	const change = (text: string) => {
		const step = draft.workflow[id]
		// An empty one stays a field of the step.
		if (step !== undefined) onChange({...draft, workflow: {...draft.workflow, [id]: {...step, [field]: text}}}, `${id} ${field}`)
	}
	return (
		<TextField
			label={label}
			mono
			value={draft.workflow[id]?.[field] ?? ''}
			onChange={change}
			error={faultIn(issues, id, field)}
			description={variablesOf(draft)}
		/>
	)
}

function OtherPlaybook({draft, id, issues, onChange}: StepFormProps) {
	const {data = []} = useAsked(q => q.playbooks.list)
	return (
		<Select
			label={t.playbook}
			value={draft.workflow[id]?.playbook_id ?? ''}
			options={data.filter(one => one.id !== draft.id).map(one => ({value: one.id, label: one.name}))}
			onChange={value => onChange(changeStep(draft, id, {playbook_id: value}))}
			error={faultIn(issues, id, 'playbook_id')}
		/>
	)
}

/** The name of a path: the answer or state that leads there. */
function wayName(field: string) {
	const [map = '', key = ''] = field.split(/\.(.*)/)
	if (map === 'cases') return t.caseOf(key)
	if (map === 'next_steps') return t.branchOf(Number(key) + 1)
	const names: Readonly<Record<string, string>> = {on_true: t.ifYes, on_false: t.ifNo, on_failure: t.onFailureGoTo, on_timeout: t.onTimeoutGoTo}
	return names[map] ?? t.nextStep
}

/** Possible next steps; unnamed ones have a number. */
function targetsOf({workflow}: Draft, id: string) {
	const counts = new Map<string, number>()
	return Object.entries(workflow).flatMap(([value, step]) => {
		const count = (counts.get(step.type) ?? 0) + 1
		counts.set(step.type, count)
		return value === id || step.type === 'start' ? [] : [{value, label: step.name ?? `${kindOf(step)} ${count}`}]
	})
}

function Ways({draft, id, step, issues, onChange}: OfStep) {
	const [name, setName] = useState('')
	const options = targetsOf(draft, id)
	const pointers = pointersOf(step)
	const ways = [...pointers.filter(({branch}) => branch), ...pointers.filter(({branch}) => !branch)]
	const isOptional = (field: string) =>
		['on_false', 'on_failure', 'on_timeout'].includes(field) ||
		(field.startsWith('next_steps.') && (step.next_steps?.length ?? 0) > 2) ||
		(field.startsWith('cases.') && Object.keys(step.cases ?? {}).length > 1)
	const isSwitch = step.type === 'switch-condition'
	const grows = step.type === 'parallel' || isSwitch || (step.type === 'if-condition' && step.on_false === undefined)
	return (
		<>
			{ways.map(({field, to}) => (
				<div key={field} className="fields">
					<Select
						className={styles.wide}
						label={wayName(field)}
						value={to}
						options={options}
						onChange={value => onChange(lead(draft, id, field, value))}
						error={faultIn(issues, id, field)}
					/>
					{isOptional(field) && (
						<Button onPress={() => onChange(lead(draft, id, field, undefined))} aria-label={t.removeNamed(wayName(field))}>
							{t.takeOut}
						</Button>
					)}
				</div>
			))}
			{grows && (
				<div className="fields">
					{isSwitch && <TextField label={t.newCase} value={name} onChange={setName} />}
					<Button
						onPress={() => {
							onChange(addBranch(draft, id, name.trim()))
							setName('')
						}}
						reason={isSwitch && name.trim() === '' ? t.missing(t.newCase) : null}
					>
						{t.addBranch}
					</Button>
				</div>
			)}
		</>
	)
}

function Times({draft, id, step, issues, onChange}: OfStep) {
	const seconds = (ms: number | undefined) => (ms === undefined ? '' : String(ms / 1000))
	const msOf = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) * 1000 : undefined)
	const field = (name: 'delay' | 'timeout', label: string) => (
		<TextField
			label={label}
			value={seconds(step[name])}
			onChange={text => onChange(changeStep(draft, id, {[name]: msOf(text)}), `${id} ${name}`)}
			error={faultIn(issues, id, name)}
		/>
	)
	return (
		<div className={styles.pair}>
			{field('delay', t.delaySeconds)}
			{field('timeout', t.timeoutSeconds)}
		</div>
	)
}

const newSteps: readonly Option<NewStep>[] = [
	{value: 'request', label: t.request},
	{value: 'question', label: t.question},
	{value: 'if-condition', label: t.condition},
	{value: 'while-condition', label: t.loop},
	{value: 'parallel', label: t.parallel},
	{value: 'switch-condition', label: t.switchStep},
	{value: 'playbook-action', label: t.otherPlaybook}
]

function AddStep({draft, id, step, onChange, onChoose}: OfStep) {
	const [kind, setKind] = useState<NewStep>('request')
	const [place, setPlace] = useState(nextField(step) as string)
	const fields = new Set([nextField(step) as string, ...pointersOf(step).map(({field}) => field)])
	if (step.type !== 'start') fields.add('on_failure')
	const into = fields.has(place) ? place : nextField(step)
	return (
		<div className={styles.adding}>
			<Select label={t.newStep} value={kind} options={newSteps} onChange={setKind} />
			<Select label={t.place} value={into} options={[...fields].map(value => ({value, label: wayName(value)}))} onChange={setPlace} />
			<Button
				onPress={() => {
					const label = newSteps.find(({value}) => value === kind)?.label ?? ''
					const next = addStep(draft, id, into, kind, label)
					onChange(next.draft)
					onChoose(next.id)
				}}
			>
				{t.addStep}
			</Button>
		</div>
	)
}

/** The question or request, and the variable of the answer. */
function ActionFields(props: OfStep) {
	const {draft, id, step, issues, onChange} = props
	const isManual = step.commands?.[0]?.type === 'manual'
	const names = Object.keys(draft.playbook_variables ?? {})
	const needsApproval = approvalOf(step) !== undefined
	return (
		<>
			{isManual ? <QuestionFields {...props} /> : <RequestFields {...props} />}
			{!needsApproval && (
				<Select
					label={isManual ? t.answerInto : t.resultInto}
					value={step.out_args?.[0] ?? ''}
					options={[
						{value: '', label: isManual ? t.yesOrNo : t.none},
						...names.map(value => ({value, label: value === resultName ? t.lastResult : value.replaceAll('__', '')}))
					]}
					onChange={value => onChange(changeStep(draft, id, {out_args: value === '' ? [] : [value]}))}
					error={faultIn(issues, id, 'out_args')}
				/>
			)}
			{isManual && <ApprovalFields {...props} />}
		</>
	)
}

function QuestionFields({draft, id, step, issues, onChange}: OfStep) {
	return (
		<TextArea
			label={t.question}
			rows={3}
			value={step.commands?.[0]?.command ?? ''}
			onChange={command => onChange(changeCommand(draft, id, {command}), `${id} command`)}
			error={faultIn(issues, id, 'commands')}
			description={variablesOf(draft)}
		/>
	)
}

function RequestFields({draft, id, step, issues, onChange}: OfStep) {
	const [command] = step.commands ?? []
	const line = (command?.command ?? '').replace(/ HTTP\/1\.1$/, '')
	return (
		<>
			<Select
				label={t.template}
				value={requestTemplates.find(([one]) => one === line)?.[0] ?? null}
				options={requestTemplates.map(([value]): {value: string; label: string} => ({value, label: value}))}
				onChange={value => {
					const content = requestTemplates.find(([one]) => one === value)?.[1] ?? ''
					onChange(changeCommand(draft, id, {command: `${value} HTTP/1.1`, content}))
				}}
			/>
			<TextField
				label={t.request}
				mono
				value={line}
				onChange={text => onChange(changeCommand(draft, id, {command: `${text} HTTP/1.1`}), `${id} command`)}
				error={faultIn(issues, id, 'commands')}
				description={variablesOf(draft)}
			/>
			<TextArea
				label={t.content}
				rows={2}
				mono
				value={command?.content ?? ''}
				onChange={content => onChange(changeCommand(draft, id, {content}), `${id} content`)}
			/>
		</>
	)
}

const plainTerms: StepApproval = {needed: 1, groups: [], requester_may: false}
const counts = ['1', '2', '3', '4', '5'].map(value => ({value, label: value}))

/** Who has to approve before the run continues. */
function ApprovalFields({draft, id, step, issues, onChange}: OfStep) {
	const terms = approvalOf(step)
	const set = (next: StepApproval | null, field?: string) => onChange(changeApproval(draft, id, next), field && `${id} ${field}`)
	return (
		<>
			<Checkbox isSelected={terms !== undefined} onChange={on => set(on ? plainTerms : null)}>
				{t.needsApproval}
			</Checkbox>
			{terms === undefined || terms === null ? (
				<p className="fails">{faultIn(issues, id, 'step_extensions')}</p>
			) : (
				<>
					<div className={styles.pair}>
						<Select
							label={t.approvalsNeeded}
							value={String(terms.needed)}
							options={counts}
							onChange={value => set({...terms, needed: Number(value)})}
						/>
						<GroupsField groups={terms.groups} onChange={groups => set({...terms, groups: [...groups]}, 'groups')} />
					</div>
					<Checkbox isSelected={terms.requester_may} onChange={on => set({...terms, requester_may: on})}>
						{t.requesterMay}
					</Checkbox>
				</>
			)}
		</>
	)
}

/** A just typed comma stays, even without a following name. */
function GroupsField({groups, onChange}: {groups: readonly string[]; onChange: (groups: readonly string[]) => void}) {
	const [text, setText] = useState(groups.join(', '))
	const namesIn = (typed: string) => typed.split(/\s*,\s*/).filter(Boolean)
	return (
		<TextField
			label={t.approverGroups}
			value={namesIn(text).join() === groups.join() ? text : groups.join(', ')}
			onChange={typed => {
				setText(typed)
				onChange(namesIn(typed))
			}}
		/>
	)
}
