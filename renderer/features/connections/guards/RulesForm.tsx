import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { managedSentence } from '#shared/model/managed.ts';
import { computerRoles, computerRoleTitles, type GuardRules } from '#shared/model/guard.ts';
import { leaseChoices } from '#shared/model/lease.ts';
import { termWords } from '#shared/text/isolation.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { useManaged } from '../../../api/hooks.ts';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Held, HeldWords } from '../../../ui/Held.tsx';
import { ComboBox } from '../../../ui/Select.tsx';
import { Chip } from '../../../ui/Tag.tsx';
import { Checkbox, RadioGroup } from '../../../ui/Toggle.tsx';
import type { DraftProblems, NumberField, RulesDraft } from './draft.ts';
import styles from './guards.module.css';
import { t } from './text.ts';

interface RulesFormProps {
	readonly connection: string;
	readonly draft: RulesDraft;
	readonly problems: DraftProblems;
	readonly onChange: (draft: RulesDraft) => void;
}

export function RulesForm(props: RulesFormProps) {
	return (
		<>
			<ProtectedPart {...props} />
			<LimitsPart {...props} />
			<IsolationPart {...props} />
			<ApprovalPart {...props} />
		</>
	);
}

function ProtectedPart({ connection, draft, onChange }: RulesFormProps) {
	const held = useManaged().guards;
	return (
		<fieldset className={styles['part']}>
			<legend>{t.protectedNever}</legend>
			<div className={styles['pair']}>
				<TextArea
					label={t.hostNames}
					value={draft.names}
					onChange={(names) => onChange({ ...draft, names })}
					rows={4}
					mono
					placeholder={t.dcErp}
					description={t.onePerLine}
				/>
				<TextArea
					label={t.gUIDsOfComputers}
					value={draft.guids}
					onChange={(guids) => onChange({ ...draft, guids })}
					rows={4}
					mono
					description={t.onePerLineTitle}
				/>
			</div>
			<GroupsField connection={connection} draft={draft} onChange={onChange} />
			<div className={styles['row']} role="group" aria-label={t.assignedRoles}>
				{computerRoles.map((role) => (
					<Checkbox
						key={role}
						isSelected={draft.roles.includes(role)}
						onChange={(isSelected) =>
							onChange({
								...draft,
								roles: computerRoles.filter((each) => (each === role ? isSelected : draft.roles.includes(each))),
							})
						}
					>
						{computerRoleTitles[role]}
					</Checkbox>
				))}
			</div>
			<p className={styles['note']}>
				{t.assignRoles}
				{held.includes('protected') ? t.someTheseStay(managedSentence) : null}
			</p>
		</fieldset>
	);
}

const longestList = 60;

function GroupsField({ connection, draft, onChange }: Omit<RulesFormProps, 'problems'>) {
	const { queries } = useApi();
	const { data: groups = [] } = useQuery(queries.groups.list.queryOptions({ input: { connection } }));
	const [typed, setTyped] = useState('');
	const nameOf = (guid: string): string =>
		groups.find((group) => group.guid.toLowerCase() === guid.toLowerCase())?.path.join(' ▸ ') ?? guid;
	const matching = groups
		.map((group) => ({ value: group.guid, label: group.path.join(' ▸ ') }))
		.filter(
			({ value, label }) => !draft.groups.includes(value) && label.toLowerCase().includes(typed.trim().toLowerCase()),
		)
		.slice(0, longestList);
	return (
		<>
			<ComboBox
				label={t.groupsSubgroups}
				input={typed}
				onInput={setTyped}
				onChoose={(guid) => {
					onChange({ ...draft, groups: [...draft.groups, guid] });
					setTyped('');
				}}
				options={matching}
				placeholder={t.typePartOfName}
			/>
			{draft.groups.length === 0 ? null : (
				<div className={styles['row']}>
					{draft.groups.map((guid) => (
						<Chip
							key={guid}
							onRemove={() => onChange({ ...draft, groups: draft.groups.filter((each) => each !== guid) })}
							removeLabel={t.noLongerProtect(nameOf(guid))}
						>
							{nameOf(guid)}
						</Chip>
					))}
				</div>
			)}
		</>
	);
}

const limits: readonly (readonly [NumberField, string, keyof GuardRules])[] = [
	['wideIsolate', 'Isolations at once', 'wide'],
	['wideRelease', 'Releases at once', 'wide'],
	['wideMove', 'Moves or policies at once', 'wide'],
	['wideHashes', 'Hashes at once', 'wide'],
	['rollingIsolations', 'Isolations within the period', 'rolling'],
	['rollingHours', 'Length of the period, hours', 'rolling'],
	['prevalentHash', 'Hash prevalence', 'prevalentHash'],
	['largestJob', 'Targets per job', 'largestJob'],
];

function LimitsPart({ draft, problems, onChange }: RulesFormProps) {
	const held = useManaged().guards;
	return (
		<fieldset className={styles['part']}>
			<legend>{t.requireTyped}</legend>
			<div className={styles['numbers']}>
				{limits.map(([field, label, rule]) => (
					<Held key={field} by={held.includes(rule)} quiet>
						<TextField
							label={label}
							value={draft.numbers[field]}
							onChange={(text) => onChange({ ...draft, numbers: { ...draft.numbers, [field]: text } })}
							mono
							autoComplete="off"
							error={problems[field] ?? null}
							{...(held.includes(rule) && { description: <HeldWords /> })}
						/>
					</Held>
				))}
			</div>
		</fieldset>
	);
}

/** SR18. How many targets are too many is a whole number, or nothing. */
function ApprovalPart({ draft, onChange }: RulesFormProps) {
	const isHeld = useManaged().guards.includes('approval');
	const { approval } = draft;
	const change = (part: Partial<RulesDraft['approval']>): void =>
		onChange({ ...draft, approval: { ...approval, ...part } });
	return (
		<fieldset className={styles['part']}>
			<legend>{t.approvalTitle}</legend>
			<Held by={isHeld}>
				<Checkbox isSelected={approval.always} onChange={(always) => change({ always })}>
					{t.approvalAlways}
				</Checkbox>
				<Checkbox isSelected={approval.servers} onChange={(servers) => change({ servers })}>
					{t.approvalServers}
				</Checkbox>
				<div className={styles['numbers']}>
					<TextField
						label={t.approvalAbove}
						value={approval.above === null ? '' : String(approval.above)}
						onChange={(text) => change({ above: wholeOf(text, 100_000) })}
						mono
						autoComplete="off"
					/>
					<TextField
						label={t.approvalNeeded}
						value={String(approval.needed)}
						onChange={(text) => change({ needed: wholeOf(text, 5) ?? approval.needed })}
						mono
						autoComplete="off"
					/>
					<TextField
						label={t.approvalGroups}
						value={approval.groups.join(', ')}
						onChange={(text) => change({ groups: text === '' ? [] : text.split(/, ?/) })}
						autoComplete="off"
					/>
				</div>
			</Held>
			<p className={styles['note']}>{t.approvalNote}</p>
		</fieldset>
	);
}

function wholeOf(text: string, most: number): number | null {
	const number = Number(text.trim());
	return /^\d+$/.test(text.trim()) && number >= 1 ? Math.min(number, most) : null;
}

function IsolationPart({ draft, onChange }: RulesFormProps) {
	const held = useManaged().guards;
	return (
		<fieldset className={styles['part']}>
			<legend>{t.isolations}</legend>
			<Held by={held.includes('splitServers')}>
				<Checkbox isSelected={draft.splitServers} onChange={(splitServers) => onChange({ ...draft, splitServers })}>
					{t.confirmServers}
				</Checkbox>
			</Held>
			<Held by={held.includes('lineReason')}>
				<Checkbox isSelected={draft.lineReason} onChange={(lineReason) => onChange({ ...draft, lineReason })}>
					{t.requireReason}
				</Checkbox>
			</Held>
			<Held by={held.includes('leaseHours')}>
				<RadioGroup
					label={t.proposedLease}
					value={String(draft.leaseHours)}
					onChange={(value) => onChange({ ...draft, leaseHours: value === 'null' ? null : Number(value) })}
					options={leaseChoices.map((hours) => ({ value: String(hours), label: termWords(hours) }))}
					orientation="horizontal"
				/>
			</Held>
		</fieldset>
	);
}
