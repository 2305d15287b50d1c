import {useState} from 'react'

import type {ComputerRow} from '#model/computer.ts'
import {computerRoles, computerRoleTitles, type ComputerRole} from '#model/guard.ts'
import {tagSchema} from '#model/label.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useConnected, useAskedHere, useCall} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, SkeletonLines} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {ComboBox} from '#ui/Select.tsx'
import {Chip} from '#ui/Tag.tsx'
import {Checkbox} from '#ui/Field.tsx'
import {Failure} from './Failure.tsx'
import styles from './LabelsDialog.module.css'
import {t} from './text.ts'

interface LabelsDialogProps {
	guids: readonly string[]
	onClose: () => void
}

/** Tags and roles stay in Cordon; the service never gets them. */
export function LabelsDialog({guids, onClose}: LabelsDialogProps) {
	const only = guids.length === 1 ? guids[0] : undefined
	const {data, error} = useAskedHere(q => q.computers.detail, {guid: only ?? 'none'}, {enabled: only !== undefined})
	if (only !== undefined && data === undefined) {
		return (
			<Dialog title={t.tagsAndRoles} size="small" onClose={onClose}>
				{error === null ? <SkeletonLines lines={5} /> : <Banner tone="bad">{error.message}</Banner>}
			</Dialog>
		)
	}
	return <Labels guids={guids} row={data?.row} onClose={onClose} />
}

function Labels({guids, row: newest, onClose}: LabelsDialogProps & {row: ComputerRow | undefined}) {
	const {connection} = useConnected()
	const announce = useAnnounce()
	// Only what was shown is removed, not what somebody else adds meanwhile.
	const [row] = useState(newest)
	const [tags, setTags] = useState<readonly string[]>(row?.tags ?? [])
	const [roles, setRoles] = useState<ReadonlySet<ComputerRole>>(new Set(row?.roles))
	const [typed, setTyped] = useState('')
	const many = guids.length > 1
	const name = row?.hostname ?? `${formatCount(guids.length)} computers`
	const change = (mode: 'set' | 'add' | 'remove') => {
		const wanted = {tags: withTyped(tags, typed), roles: [...roles]}
		const none = {tags: [], roles: []}
		if (mode === 'remove') return {guids: [...guids], add: none, remove: wanted}
		const gone = row === undefined ? none : {tags: [...row.tags], roles: [...row.roles]}
		return {guids: [...guids], add: wanted, remove: mode === 'set' ? gone : none}
	}
	const save = useCall((client, mode: 'set' | 'add' | 'remove') => client.computers.label({connection, ...change(mode)}), {
		onSuccess: ({changed}) => {
			announce(`${counted(changed, nouns.computer)} changed`)
			onClose()
		}
	})
	const problem = typed.trim() === '' ? null : tagProblem(typed)
	const nothing = tags.length === 0 && roles.size === 0 && typed.trim() === '' ? 'Choose a tag or a role first.' : null
	const waiting = save.isPending ? 'Saving…' : problem
	return (
		<Dialog
			title={t.tagsRoles(name)}
			size="small"
			cancel
			onClose={onClose}
			footer={
				many ? (
					<>
						<Button onPress={() => save.mutate('remove')} reason={nothing ?? waiting}>
							{t.takeFromAll}
						</Button>
						<Button tone="primary" onPress={() => save.mutate('add')} reason={nothing ?? waiting}>
							{t.giveToAll}
						</Button>
					</>
				) : (
					<Button tone="primary" onPress={() => save.mutate('set')} reason={waiting}>
						{t.save}
					</Button>
				)
			}
		>
			<div className="stack">
				<TagField
					typed={typed}
					problem={problem}
					onType={setTyped}
					onAdd={() => {
						setTags(withTyped(tags, typed))
						setTyped('')
					}}
				/>
				<Tags tags={tags} onRemove={tag => setTags(tags.filter(each => each !== tag))} />
				<Roles roles={roles} guessed={row?.guessedRoles ?? []} onChange={setRoles} />
				<p className="note">{t.keptProfile}</p>
				<Failure error={save.error} />
			</div>
		</Dialog>
	)
}

interface TagFieldProps {
	typed: string
	problem: string | null
	onType: (text: string) => void
	onAdd: () => void
}

function TagField({typed, problem, onType, onAdd}: TagFieldProps) {
	const {data: known = []} = useAskedHere(q => q.commands.suggest, {source: 'tag', prefix: typed.trim(), limit: 8})
	return (
		<div className={styles.add}>
			<ComboBox
				label={t.tag}
				options={known.map(({value}) => ({value, label: value}))}
				input={typed}
				onInput={onType}
				error={problem}
				placeholder={t.suchTier0Loaner}
				autoFocus
			/>
			<Button onPress={onAdd} reason={typed.trim() === '' ? t.typeTagFirst : problem}>
				{t.add}
			</Button>
		</div>
	)
}

function Tags({tags, onRemove}: {tags: readonly string[]; onRemove: (tag: string) => void}) {
	if (tags.length === 0) return <p className="note">{t.noTags}</p>
	return (
		<ul className={styles.tags} aria-label={t.tags}>
			{tags.map(tag => (
				<li key={tag}>
					<Chip onRemove={() => onRemove(tag)} removeLabel={t.removeTheTag(tag)}>
						{tag}
					</Chip>
				</li>
			))}
		</ul>
	)
}

interface RolesProps {
	roles: ReadonlySet<ComputerRole>
	guessed: readonly ComputerRole[]
	onChange: (roles: ReadonlySet<ComputerRole>) => void
}

/** A guessed role is marked, never ticked. */
function Roles({roles, guessed, onChange}: RolesProps) {
	const toggle = (role: ComputerRole, on: boolean) => onChange(new Set(computerRoles.filter(each => (each === role ? on : roles.has(each)))))
	return (
		<fieldset className={styles.roles}>
			<legend className={styles.legend}>{t.role}</legend>
			{computerRoles.map(role => (
				<Checkbox key={role} isSelected={roles.has(role)} onChange={on => toggle(role, on)}>
					<span>
						{computerRoleTitles[role]}
						{guessed.includes(role) && <span className="note"> {t.probably}</span>}
					</span>
				</Checkbox>
			))}
		</fieldset>
	)
}

function withTyped(tags: readonly string[], typed: string) {
	const tag = typed.trim()
	const has = tags.some(each => each.toLowerCase() === tag.toLowerCase())
	return tag === '' || has ? [...tags] : [...tags, tag]
}

function tagProblem(typed: string) {
	const read = tagSchema.safeParse(typed)
	if (read.success) return null
	return typed.trim().length > 40 ? 'A tag has at most 40 characters.' : 'A tag has no quotation mark, comma or asterisk.'
}
