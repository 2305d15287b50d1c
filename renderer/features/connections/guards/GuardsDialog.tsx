import {keepPreviousData} from '@tanstack/react-query'
import {type ReactNode, useState} from 'react'

import type {WhatIf} from '#contract/guards.ts'
import type {Connection} from '#model/connection.ts'
import type {GuardRules} from '#model/guard.ts'
import {leaseChoices} from '#model/lease.ts'
import {managedSentence} from '#model/managed.ts'
import {termWords} from '#text/isolation.ts'
import {useApi, useManaged, useAsked} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {RoleChecks} from '#commands/guard/RoleChecks.tsx'
import {Banner, Unloaded} from '#ui/States.tsx'
import {connectionTitle} from '#ui/connection-words.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea, TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {formFor, type Form} from '#ui/form.ts'
import {Held, HeldWords} from '#ui/Held.tsx'
import {ComboBox} from '#ui/Select.tsx'
import {Chip, Tag} from '#ui/Tag.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {draftOf, type NumberField, type RulesDraft, rulesOf} from './draft.ts'
import styles from './guards.module.css'
import {t} from './text.ts'

interface GuardsDialogProps {
	connection: Connection
	onClose: () => void
}

/** The guard rules of this connection. A change is confirmed with the connection's name, and logged. */
export function GuardsDialog({connection, onClose}: GuardsDialogProps) {
	const stored = useAsked(q => q.guards.get, {input: {connection: connection.id}, staleTime: 0, retry: false})
	if (stored.data !== undefined) return <Editor key={JSON.stringify(stored.data)} connection={connection} rules={stored.data} onClose={onClose} />
	return (
		<Dialog title={t.guardRulesOf(connection.name)} size="large" onClose={onClose}>
			<Unloaded of={stored} lines={8} label={t.loadingGuard} />
		</Dialog>
	)
}

function Editor({connection, rules, onClose}: GuardsDialogProps & {rules: GuardRules}) {
	const {client, cache, queries} = useApi()
	const [draft, setDraft] = useState<RulesDraft>(() => draftOf(rules))
	const [confirm, setConfirm] = useState('')
	const {rules: wanted, problems} = rulesOf(draft)
	const whatIf = useAsked(q => q.guards.whatIf, {input: {connection: connection.id, rules: wanted ?? rules}, placeholderData: keepPreviousData})
	const isNamed = confirm.trim().toLowerCase() === connection.name.toLowerCase()
	const isSame = wanted !== null && JSON.stringify(wanted) === JSON.stringify(rules)
	const save = async () => {
		await client.guards.set({connection: connection.id, before: rules, rules: wanted ?? rules, confirm: confirm.trim()})
		void cache.invalidateQueries({queryKey: queries.guards.key()})
	}
	return (
		<ActDialog
			title={t.guardRulesOf(connection.name)}
			size="large"
			act={t.changeRules(connectionTitle(connection))}
			work={save}
			isReady={wanted !== null && isNamed}
			missing={isSame ? t.noChangesYet : null}
			done={`Guard rules of ${connection.name} changed`}
			onClose={onClose}
		>
			{({wasPressed}) => (
				<div className={styles.editor}>
					<p className="quiet">{t.guardRules}</p>
					<RulesForm
						connection={connection.id}
						{...formFor(
							draft,
							change => setDraft({...draft, ...change}),
							place => problems[place] ?? null
						)}
					/>
					{problems.rest !== undefined && <Banner tone="bad">{problems.rest}</Banner>}
					<WhatIfTable rows={whatIf.data} />
					<TextField
						label={t.typeConnections(connection.name)}
						value={confirm}
						onChange={setConfirm}
						isRequired
						autoComplete="off"
						error={wasPressed && !isNamed ? t.typeOf(connection.name) : null}
						description={t.incidentLogKeeps}
					/>
				</div>
			)}
		</ActDialog>
	)
}

function WhatIfTable({rows}: {rows: readonly WhatIf[] | undefined}) {
	return (
		<PlainTable caption={t.whatHappens} columns={[t.computers, t.tier, t.whatIsAsked]}>
			{(rows ?? []).map(({what, answer, tier, refused}) =>
				tableRow(what, what, refused ? <Tag tone="bad">{t.refused}</Tag> : <Tag tone={tier === 3 ? 'warn' : 'plain'}>{tier}</Tag>, answer)
			)}
		</PlainTable>
	)
}

interface RulesFormProps extends Form<RulesDraft> {
	connection: string
}

function RulesForm(props: RulesFormProps) {
	return (
		<>
			<ProtectedPart {...props} />
			<LimitsPart {...props} />
			<IsolationPart {...props} />
			<ApprovalPart {...props} />
			<WindowsPart {...props} />
		</>
	)
}

function ProtectedPart(props: RulesFormProps) {
	const {draft, set, field} = props
	const held = useManaged().guards
	return (
		<fieldset>
			<legend>{t.protectedNever}</legend>
			<div className={styles.pair}>
				<TextArea label={t.hostNames} {...field('names')} rows={4} mono placeholder={t.dcErp} description={t.onePerLine} />
				<TextArea label={t.gUIDsOfComputers} {...field('guids')} rows={4} mono description={t.onePerLineTitle} />
			</div>
			<GroupsField {...props} />
			<div className={styles.row} role="group" aria-label={t.assignedRoles}>
				<RoleChecks of={draft.roles} onChange={roles => set({roles})} />
			</div>
			<p className="quiet">
				{t.assignRoles}
				{held.includes('protected') && t.someTheseStay(managedSentence)}
			</p>
		</fieldset>
	)
}

const longestList = 60

function GroupsField({connection, draft, set}: RulesFormProps) {
	const {data: groups = []} = useAsked(q => q.groups.list, {input: {connection}})
	const [typed, setTyped] = useState('')
	const nameOf = (guid: string) => groups.find(group => group.guid.toLowerCase() === guid.toLowerCase())?.path.join(' ▸ ') ?? guid
	const matching = groups
		.map(group => ({value: group.guid, label: group.path.join(' ▸ ')}))
		.filter(({value, label}) => !draft.groups.includes(value) && label.toLowerCase().includes(typed.trim().toLowerCase()))
		.slice(0, longestList)
	return (
		<>
			<ComboBox
				label={t.groupsSubgroups}
				input={typed}
				onInput={setTyped}
				onChoose={guid => {
					set({groups: [...draft.groups, guid]})
					setTyped('')
				}}
				options={matching}
				placeholder={t.typePartOfName}
			/>
			{draft.groups.length !== 0 && (
				<div className={styles.row}>
					{draft.groups.map(guid => (
						<Chip
							key={guid}
							onRemove={() => set({groups: draft.groups.filter(each => each !== guid)})}
							removeLabel={t.noLongerProtect(nameOf(guid))}
						>
							{nameOf(guid)}
						</Chip>
					))}
				</div>
			)}
		</>
	)
}

const limits: readonly (readonly [NumberField, string, keyof GuardRules])[] = [
	['wideIsolate', 'Isolations at once', 'wide'],
	['wideRelease', 'Releases at once', 'wide'],
	['wideMove', 'Moves or policies at once', 'wide'],
	['wideHashes', 'Hashes at once', 'wide'],
	['rollingIsolations', 'Isolations within the period', 'rolling'],
	['rollingHours', 'Length of the period, hours', 'rolling'],
	['prevalentHash', 'Hash prevalence, from', 'prevalentHash'],
	['largestJob', 'Targets per job, at most', 'largestJob']
]

type EntryProps = RulesFormProps & {name: NumberField; label: string; description?: ReactNode}

function NumberEntry({within, name, label, description}: EntryProps) {
	return <TextField label={label} description={description} {...within('numbers').field(name)} mono autoComplete="off" />
}

function LimitsPart(props: RulesFormProps) {
	const held = useManaged().guards
	return (
		<fieldset>
			<legend>{t.requireTyped}</legend>
			<div className={styles.numbers}>
				{limits.map(([name, label, rule]) => (
					<Held key={name} by={held.includes(rule)} quiet>
						<NumberEntry {...props} {...{name, label}} {...(held.includes(rule) && {description: <HeldWords />})} />
					</Held>
				))}
			</div>
		</fieldset>
	)
}

/** SR18. The threshold may be empty. */
function ApprovalPart(props: RulesFormProps) {
	const {field, within} = props
	const isHeld = useManaged().guards.includes('approval')
	const approval = within('approval')
	return (
		<fieldset>
			<legend>{t.approvalTitle}</legend>
			<Held by={isHeld}>
				<Checkbox {...approval.check('always')}>{t.approvalAlways}</Checkbox>
				<Checkbox {...approval.check('servers')}>{t.approvalServers}</Checkbox>
				<div className={styles.numbers}>
					<NumberEntry {...props} name="approvalAbove" label={t.approvalAbove} />
					<NumberEntry {...props} name="approvalNeeded" label={t.approvalNeeded} />
					<TextField label={t.approvalGroups} {...field('approvers')} autoComplete="off" />
				</div>
			</Held>
			<p className="quiet">{t.approvalNote}</p>
		</fieldset>
	)
}

/** SR19, and allowed destinations of playbooks. */
function WindowsPart({field}: RulesFormProps) {
	const held = useManaged().guards
	return (
		<fieldset>
			<legend>{t.windowsAndOrigins}</legend>
			<Held by={held.includes('windows')}>
				<TextArea label={t.windowsOnePerLine} {...field('windows')} rows={3} mono placeholder={t.windowsExample} description={t.windowsNote} />
			</Held>
			<Held by={held.includes('origins')}>
				<TextArea label={t.originsOnePerLine} {...field('origins')} rows={2} mono placeholder={t.originsExample} description={t.originsNote} />
			</Held>
		</fieldset>
	)
}

function IsolationPart({draft, set, check}: RulesFormProps) {
	const held = useManaged().guards
	return (
		<fieldset>
			<legend>{t.isolations}</legend>
			<Held by={held.includes('splitServers')}>
				<Checkbox {...check('splitServers')}>{t.confirmServers}</Checkbox>
			</Held>
			<Held by={held.includes('lineReason')}>
				<Checkbox {...check('lineReason')}>{t.requireReason}</Checkbox>
			</Held>
			<Held by={held.includes('leaseHours')}>
				<RadioGroup
					label={t.proposedLease}
					value={String(draft.leaseHours)}
					onChange={value => set({leaseHours: value === 'null' ? null : Number(value)})}
					options={leaseChoices.map(hours => ({value: String(hours), label: termWords(hours)}))}
					orientation="horizontal"
				/>
			</Held>
		</fieldset>
	)
}
