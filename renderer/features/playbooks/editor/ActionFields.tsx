import { useState } from 'react';

import { approvalOf, type StepApproval } from '#shared/model/playbook-document.ts';

import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Checkbox } from '../../../ui/Toggle.tsx';
import { t } from '../text.ts';
import styles from './Editor.module.css';
import { changeApproval, changeCommand, changeStep, requestTemplates, resultName } from './edit.ts';
import { faultIn } from './Problems.tsx';
import { variablesOf, type OfStep } from './form-props.ts';

/** What is asked or requested, and where the answer goes. */
export function ActionFields(props: OfStep) {
	const { draft, id, step, issues, onChange } = props;
	const isManual = step.commands?.[0]?.type === 'manual';
	const names = Object.keys(draft.playbook_variables ?? {});
	const needsApproval = approvalOf(step) !== undefined;
	return (
		<>
			{isManual ? <QuestionFields {...props} /> : <RequestFields {...props} />}
			{needsApproval ? null : (
				<Select
					label={isManual ? t.answerInto : t.resultInto}
					value={step.out_args?.[0] ?? ''}
					options={[
						{ value: '', label: isManual ? t.yesOrNo : t.none },
						...names.map((value) => ({
							value,
							label: value === resultName ? t.lastResult : value.replaceAll('__', ''),
						})),
					]}
					onChange={(value) => onChange(changeStep(draft, id, { out_args: value === '' ? [] : [value] }))}
					error={faultIn(issues, id, 'out_args')}
				/>
			)}
			{isManual ? <ApprovalFields {...props} /> : null}
		</>
	);
}

function QuestionFields({ draft, id, step, issues, onChange }: OfStep) {
	return (
		<TextArea
			label={t.question}
			rows={3}
			value={step.commands?.[0]?.command ?? ''}
			onChange={(command) => onChange(changeCommand(draft, id, { command }), `${id} command`)}
			error={faultIn(issues, id, 'commands')}
			description={variablesOf(draft)}
		/>
	);
}

function RequestFields({ draft, id, step, issues, onChange }: OfStep) {
	const [command] = step.commands ?? [];
	const line = (command?.command ?? '').replace(/ HTTP\/1\.1$/, '');
	return (
		<>
			<Select
				label={t.template}
				value={requestTemplates.find(([one]) => one === line)?.[0] ?? null}
				options={requestTemplates.map(([value]): { value: string; label: string } => ({ value, label: value }))}
				onChange={(value) => {
					const content = requestTemplates.find(([one]) => one === value)?.[1] ?? '';
					onChange(changeCommand(draft, id, { command: `${value} HTTP/1.1`, content }));
				}}
			/>
			<TextField
				label={t.request}
				mono
				value={line}
				onChange={(text) => onChange(changeCommand(draft, id, { command: `${text} HTTP/1.1` }), `${id} command`)}
				error={faultIn(issues, id, 'commands')}
				description={variablesOf(draft)}
			/>
			<TextArea
				label={t.content}
				rows={2}
				mono
				value={command?.content ?? ''}
				onChange={(content) => onChange(changeCommand(draft, id, { content }), `${id} content`)}
			/>
		</>
	);
}

const plainTerms: StepApproval = { needed: 1, groups: [], requester_may: false };
const counts = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }));

/** Who has to approve before the run goes on. */
function ApprovalFields({ draft, id, step, issues, onChange }: OfStep) {
	const terms = approvalOf(step);
	const set = (next: StepApproval | null, field?: string): void =>
		onChange(changeApproval(draft, id, next), field && `${id} ${field}`);
	return (
		<>
			<Checkbox isSelected={terms !== undefined} onChange={(on) => set(on ? plainTerms : null)}>
				{t.needsApproval}
			</Checkbox>
			{terms === undefined || terms === null ? (
				<p className={styles['bad']}>{faultIn(issues, id, 'step_extensions')}</p>
			) : (
				<>
					<div className={styles['pair']}>
						<Select
							label={t.approvalsNeeded}
							value={String(terms.needed)}
							options={counts}
							onChange={(value) => set({ ...terms, needed: Number(value) })}
						/>
						<GroupsField
							groups={terms.groups}
							onChange={(groups) => set({ ...terms, groups: [...groups] }, 'groups')}
						/>
					</div>
					<Checkbox isSelected={terms.requester_may} onChange={(on) => set({ ...terms, requester_may: on })}>
						{t.requesterMay}
					</Checkbox>
				</>
			)}
		</>
	);
}

interface GroupsFieldProps {
	readonly groups: readonly string[];
	readonly onChange: (groups: readonly string[]) => void;
}

/** A comma that was just typed stays, though no name follows it yet. */
function GroupsField({ groups, onChange }: GroupsFieldProps) {
	const [text, setText] = useState(groups.join(', '));
	const namesIn = (typed: string): readonly string[] => typed.split(/\s*,\s*/).filter(Boolean);
	return (
		<TextField
			label={t.approverGroups}
			value={namesIn(text).join() === groups.join() ? text : groups.join(', ')}
			onChange={(typed) => {
				setText(typed);
				onChange(namesIn(typed));
			}}
		/>
	);
}
