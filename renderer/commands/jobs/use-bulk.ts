import { useState } from 'react';

import type { AgreementFields } from '../guard/use-agreement.ts';
import { useProposedCode, useProposedLease } from '../guard/use-lease.ts';
import { useAgreement } from '../guard/use-agreement.ts';
import type { BulkKind } from '../../state/ui.tsx';
import { actionOf, problemsOf, splitOff, usualStopShare, type BulkForm, type BulkProblems } from './bulk-parts.ts';
import { targetsOfChoice, type TargetsChoice } from './TargetsField.tsx';
import { usePlanFlow, type PlanFlow } from './use-plan-flow.ts';

export interface Bulk {
	readonly kind: BulkKind;
	readonly fields: AgreementFields;
	readonly choice: TargetsChoice;
	readonly form: BulkForm;
	readonly targets: readonly string[];
	readonly problems: BulkProblems;
	setChoice(choice: TargetsChoice): void;
	change(next: Partial<Choices>): void;
	/** The form is left for the plan. */
	readonly isPlanned: boolean;
	/** Those that may go at once, and servers that are looked at by themselves. */
	readonly parts: { readonly main: PlanFlow; readonly servers: PlanFlow };
	/** Ids that the plan has split off. */
	readonly split: readonly string[];
	readonly part: 'main' | 'servers';
	choosePart(part: 'main' | 'servers'): void;
	plan(): void;
	/** Back to the form; nothing was sent. */
	back(): void;
}

/** What is chosen beside the reason. */
type Choices = Omit<BulkForm, 'reason' | 'ticket'>;

const quiet: BulkProblems = { targets: null, reason: null, group: null, policies: null };

export function useBulk(kind: BulkKind, selection: readonly string[]): Bulk {
	const fields = useAgreement();
	const [choice, setChoice] = useState<TargetsChoice>({
		from: selection.length === 0 ? 'text' : 'selection',
		text: '',
	});
	const proposed = useProposedLease(kind === 'isolate');
	const { code } = useProposedCode();
	const [chosen, setChosen] = useState<Partial<Choices>>({});
	const [tried, setTried] = useState(false);
	const [part, setPart] = useState<'main' | 'servers'>('main');
	const main = usePlanFlow(null, false);
	const servers = usePlanFlow(null, true);
	const form: BulkForm = {
		...{ code, lease: proposed, group: null, policies: {}, stopShare: usualStopShare },
		...chosen,
		reason: fields.reason,
		ticket: fields.ticket,
	};
	const targets = targetsOfChoice(choice, selection);
	const split = main.plan === null ? [] : splitOff(main.plan);
	const plan = () => {
		setTried(true);
		fields.submit(undefined);
		const action = actionOf(kind, form);
		if (action === null || targets.length === 0) return;
		setPart('main');
		servers.reset();
		void main.make({ action, targets, stopShare: form.stopShare });
	};
	const choosePart = (next: 'main' | 'servers') => {
		setPart(next);
		const action = actionOf(kind, form);
		if (next === 'servers' && servers.phase === 'none' && action !== null)
			void servers.make({ action, targets: split, reviewed: true, stopShare: form.stopShare });
	};
	return {
		...{ kind, fields, choice, form, targets, setChoice, plan, choosePart, part, split },
		problems: tried ? problemsOf(kind, form, targets.length) : quiet,
		change: (next) => setChosen((old) => ({ ...old, ...next })),
		isPlanned: main.phase !== 'none',
		parts: { main, servers },
		back: () => {
			main.reset();
			servers.reset();
			setPart('main');
		},
	};
}
