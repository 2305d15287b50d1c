import { useEffect, useRef, useState } from 'react';

import type { ForwarderStatus } from '#shared/contract/instances.ts';
import type { Instance } from '#shared/model/instance.ts';
import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import { AccessPart } from './AccessPart.tsx';
import { BasicsPart } from './BasicsPart.tsx';
import { type Draft, draftOf, emptyDraft } from './draft.ts';
import { CallersPart, HealthPart, LimitsPart, OptionsPart, TimesPart } from './FoldedParts.tsx';
import styles from './form.module.css';
import { ConfirmField, confirmReason } from './GuardDialog.tsx';
import { ProgramPart } from './ProgramPart.tsx';
import { type Problem, readDraft } from './read-draft.ts';
import { t } from './text.ts';
import { type Guard, useGuard } from './use-guard.ts';

interface InstanceDialogProps {
	/** `null` for a new one. */
	readonly stored: Instance | null;
	/** `undefined` while it is read. */
	readonly server: ForwarderStatus | undefined;
	readonly onClose: () => void;
	readonly onSaved: (instance: Instance) => void;
}

/** All that a person sets of an instance. What most never touch is folded away. */
export function InstanceDialog({ stored, server, onClose, onSaved }: InstanceDialogProps) {
	const form = useInstanceForm(stored, onSaved);
	const [typed, setTyped] = useState('');
	const { draft, problem, failure, guard, set } = form;
	const body = useRef<HTMLFormElement>(null);
	useErrorInView(body, form);
	const part = { draft, set, problem };
	const { asked } = guard;
	const verb = stored === null ? 'Add instance' : 'Save';
	const submit = () => (asked === null ? form.save() : guard.confirm(typed));
	return (
		<Dialog
			title={stored === null ? t.addAnInstance : t.change(stored.name)}
			size="large"
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button
						tone={asked === null ? 'primary' : 'danger'}
						onPress={submit}
						reason={asked === null ? (guard.isPending ? t.saving : null) : confirmReason(asked, typed, guard)}
					>
						{asked === null ? verb : t.andExpose(verb)}
					</Button>
				</>
			}
		>
			<form
				ref={body}
				className={styles['form']}
				onSubmit={(event) => {
					event.preventDefault();
					// A confirmation is never given by Enter alone.
					if (asked === null && !guard.isPending) form.save();
				}}
			>
				<BasicsPart {...part} stored={stored} server={server} />
				<ProgramPart {...part} />
				<AccessPart {...part} stored={stored} />
				{stored === null ? <ExposePart draft={draft} set={set} /> : null}
				<div className={styles['folded']}>
					<CallersPart {...part} />
					<LimitsPart {...part} />
					<TimesPart {...part} />
					<OptionsPart {...part} />
					<HealthPart {...part} />
				</div>
				{failure === null ? null : <Banner tone="bad">{failure}</Banner>}
				{asked === null ? null : <ConfirmField asked={asked} typed={typed} onType={setTyped} autoFocus />}
				<button type="submit" hidden aria-hidden="true" tabIndex={-1} />
			</form>
		</Dialog>
	);
}

function ExposePart({ draft, set }: Pick<InstanceForm, 'draft' | 'set'>) {
	return (
		<Checkbox isSelected={draft.isExposed} onChange={(isExposed) => set({ isExposed })}>
			{t.exposeRoute}
			<span className={styles['dim']}>{t.ifOffDefault}</span>
		</Checkbox>
	);
}

/** In a long form the field at fault, or the question, may be out of view. */
function useErrorInView(body: React.RefObject<HTMLElement | null>, { problem, failure, guard }: InstanceForm): void {
	const what = `${problem?.field ?? ''} ${failure ?? ''} ${guard.asked?.text ?? ''}`.trim();
	useEffect(() => {
		if (what === '') return;
		// After the part that holds it has opened.
		const frame = requestAnimationFrame(() => {
			const field = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
			if (field != null) {
				field.scrollIntoView({ block: 'center' });
				field.focus();
			} else body.current?.lastElementChild?.previousElementSibling?.scrollIntoView({ block: 'nearest' });
		});
		return () => cancelAnimationFrame(frame);
	}, [what, body]);
}

interface InstanceForm {
	readonly draft: Draft;
	readonly problem: Problem | null;
	/** A failure that belongs to no field. */
	readonly failure: string | null;
	readonly guard: Guard;
	set(change: Partial<Draft>): void;
	save(): void;
}

/** A new instance, or changes of a stored one; nothing typed is lost when saving fails. */
function useInstanceForm(stored: Instance | null, onSaved: (instance: Instance) => void): InstanceForm {
	const { client } = useApi();
	const guard = useGuard();
	const [draft, setDraft] = useState<Draft>(() => (stored === null ? emptyDraft : draftOf(stored)));
	const [typedProblem, setProblem] = useState<Problem | null>(null);
	const save = () => {
		const reading = readDraft(draft, stored);
		setProblem(reading.kind === 'problem' ? reading.problem : null);
		if (reading.kind === 'problem') return;
		const { definition, secrets } = reading;
		guard.run(
			(confirmation) =>
				client.instances.save({
					...(stored === null ? {} : { id: stored.id }),
					definition,
					secrets,
					// A stored one keeps its switch: it has a place of its own.
					...(stored === null && draft.isExposed ? { exposed: true } : {}),
					...confirmation,
				}),
			onSaved,
		);
	};
	const field = pathOf(guard.error?.details.field);
	const told = guard.error === null || field === undefined ? null : { field, message: guard.error.message };
	const problem = typedProblem ?? (told !== null && hasPlace(told.field) ? told : null);
	return {
		draft,
		problem,
		failure: guard.error !== null && problem === null ? guard.error.message : null,
		guard,
		set: (change) => {
			setDraft((old) => ({ ...old, ...change }));
			setProblem(null);
			guard.clear();
		},
		save,
	};
}

const secretFields: ReadonlySet<string> = new Set(['users', 'tokens', 'signingKey']);

/** As the form names it. */
function pathOf(field: string | undefined): string | undefined {
	const path = field?.replace(/^definition\./, '');
	return path !== undefined && secretFields.has(path.split('.')[0] ?? '') ? `secrets.${path}` : path;
}

/** First steps of the paths that the form has a field for. */
const places: ReadonlySet<string> = new Set([
	'name',
	'listenPort',
	'host',
	'certificate',
	'program',
	'access',
	'secrets',
	'allow',
	'origins',
	'methods',
	'limits',
	'timeouts',
	'trailers',
	'hostHeader',
	'serveStaleS',
	'healthCheck',
]);

function hasPlace(field: string): boolean {
	return places.has(field.split('.')[0] ?? '');
}
