import { useMemo, useState } from 'react';

import { TextArea } from '../../../ui/Field.tsx';
import { t } from '../text.ts';
import styles from './Editor.module.css';
import type { Draft } from './edit.ts';
import type { Change } from './use-draft.ts';

interface JsonPartProps {
	readonly draft: Draft;
	/** `null`: the whole document. */
	readonly step: string | null;
	readonly onChange: Change;
}

/** The chosen step, or the document, as JSON. */
export function JsonPart({ draft, step, onChange }: JsonPartProps) {
	const value: unknown = step === null ? draft : draft.workflow[step];
	const shown = useMemo(() => JSON.stringify(value, null, 2), [value]);
	const [{ text, error }, setTyped] = useState<Typed>({ text: null, error: null });
	const type = (next: string): void => {
		const { parsed, fault } = read(next, step === null ? 'workflow' : 'type');
		setTyped({ text: next, error: fault });
		if (parsed === null) return;
		// The check tells what of it is wrong.
		const changed = step === null ? parsed : { ...draft, workflow: { ...draft.workflow, [step]: parsed } };
		onChange(changed as Draft, `json ${step}`);
	};
	// While it is typed it stays as typed; a change from elsewhere, such as undo, shows the draft again.
	const isTyped = text !== null && (error !== null || sameJson(text, shown));
	return (
		<div className={styles['json']}>
			<TextArea
				label={step === null ? t.jsonOfPlaybook : t.jsonOfStep}
				mono
				value={isTyped ? text : shown}
				onChange={type}
				error={isTyped ? error : null}
			/>
		</div>
	);
}

interface Typed {
	readonly text: string | null;
	readonly error: string | null;
}

/** The forms need so much of a shape. */
function read(text: string, key: string): { readonly parsed: object | null; readonly fault: string | null } {
	try {
		const parsed: unknown = JSON.parse(text);
		if (typeof parsed !== 'object' || parsed === null || !(key in parsed)) return { parsed: null, fault: t.noPlaybook };
		return isShaped(parsed) ? { parsed, fault: null } : { parsed: null, fault: t.noPlaybook };
	} catch (failure) {
		return { parsed: null, fault: failure instanceof Error ? failure.message : String(failure) };
	}
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isShaped(parsed: object): boolean {
	if (!('workflow' in parsed)) return true;
	return isObject(parsed.workflow) && Object.values(parsed.workflow).every(isObject);
}

function sameJson(one: string, other: string): boolean {
	try {
		return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
	} catch {
		return false;
	}
}
