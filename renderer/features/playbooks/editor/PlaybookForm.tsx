import { useState } from 'react';

import type { Variable } from '#shared/model/playbook-document.ts';
import { variableTypes } from '#shared/model/playbook.ts';

import { Button } from '../../../ui/Button.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Checkbox } from '../../../ui/Toggle.tsx';
import { t } from '../text.ts';
import styles from './Editor.module.css';
import { changeVariable, resultName } from './edit.ts';
import type { FormProps } from './form-props.ts';
import { faultIn } from './Problems.tsx';

/** Of the document itself: its name, and the variables that a start gives and steps fill. */
export function PlaybookForm({ draft, issues, isFocused, onChange }: FormProps) {
	const [name, setName] = useState('');
	const variables = Object.entries(draft.playbook_variables ?? {}).filter(([key]) => key !== resultName);
	const key = `__${name.trim().replaceAll(/[^\w-]/g, '_')}__`;
	return (
		<div className={styles['fields']}>
			<p className={styles['dim']}>{t.chooseStepToEdit}</p>
			<TextField
				label={t.name}
				autoFocus={isFocused}
				value={draft.name}
				onChange={(text) => onChange({ ...draft, name: text }, 'name')}
				error={draft.name.trim() === '' ? t.missing(t.name) : faultIn(issues, null, 'name')}
			/>
			<TextArea
				label={t.description}
				rows={2}
				value={draft.description ?? ''}
				onChange={(description) => onChange({ ...draft, description }, 'description')}
			/>
			<h3>{t.variables}</h3>
			{variables.map(([one, variable]) => (
				<VariableForm
					key={one}
					{...{ name: one, variable }}
					error={faultIn(issues, null, `playbook_variables.${one}`)}
					onChange={(next, field) => onChange(changeVariable(draft, one, next), field && `${one} ${field}`)}
				/>
			))}
			<div className={styles['row']}>
				<TextField label={t.newVariable} value={name} onChange={setName} />
				<Button
					onPress={() => {
						onChange(changeVariable(draft, key, { type: 'string', external: true }));
						setName('');
					}}
					reason={
						name.trim() === ''
							? t.missing(t.newVariable)
							: draft.playbook_variables?.[key] === undefined
								? null
								: t.known
					}
				>
					{t.addVariable}
				</Button>
			</div>
		</div>
	);
}

interface VariableFormProps {
	readonly name: string;
	readonly variable: Variable;
	readonly error: string | null;
	readonly onChange: (next: Variable | null, field?: string) => void;
}

function VariableForm({ name, variable, error, onChange }: VariableFormProps) {
	const { type, description = '', value, external = false } = variable;
	const plain = name.replaceAll('__', '');
	return (
		<fieldset className={styles['variable']}>
			<legend>{plain}</legend>
			<Select
				label={t.typeOfValue}
				value={type}
				options={variableTypes.map((one): { value: string; label: string } => ({ value: one, label: one }))}
				onChange={(next) => onChange({ ...variable, type: next })}
			/>
			<TextField
				label={t.description}
				value={description}
				onChange={(next) => onChange({ ...variable, description: next }, 'description')}
			/>
			<TextField
				label={t.value}
				value={value ?? ''}
				onChange={(next) => onChange({ ...variable, value: next === '' ? null : next }, 'value')}
				error={error}
			/>
			<div className={styles['row']}>
				<Checkbox isSelected={external} onChange={(next) => onChange({ ...variable, external: next })}>
					{t.givenAtStart}
				</Checkbox>
				<span className={styles['spring']} />
				<Button size="small" onPress={() => onChange(null)} aria-label={t.removeNamed(plain)}>
					{t.takeOut}
				</Button>
			</div>
		</fieldset>
	);
}
