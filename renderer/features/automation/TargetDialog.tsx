import {useState} from 'react'

import {targetSchema, type TargetDefinition, type TargetRow} from '#model/target.ts'

import {useActiveConnectionOrNull, useConnections} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {TextArea, TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {formFor, type Form} from '#ui/form.ts'
import {Select, optionsByName} from '#ui/Select.tsx'
import {t} from './text.ts'

interface TargetDialogProps {
	row: TargetRow | null
	onClose: () => void
	onSaved: (saved: {target: TargetRow; secret: string | null}) => void
}

/** Keeps all texts, so that a change of the kind loses nothing typed. */
type Draft = ReturnType<typeof draftOf>

function draftOf(row: TargetRow | null, active: string) {
	const {name = '', to, events = null, log = null, format = 'ocsf'} = row?.definition ?? {}
	return {
		...{name, format, kind: to?.kind ?? 'file'},
		...placeOf(to),
		takesEvents: row === null || events !== null,
		connection: events?.connection ?? active,
		filter: events?.filter ?? '',
		takesLog: row === null || log !== null,
		words: log?.text ?? '',
		changesOnly: log?.changesOnly ?? false
	}
}

function placeOf(to: TargetDefinition['to'] | undefined) {
	const empty = {path: '', host: '', port: '6514', url: '', ca: '', isPrivate: false}
	if (to === undefined) return empty
	if (to.kind === 'file') return {...empty, path: to.path}
	const trust = {...empty, ca: to.ca ?? '', isPrivate: to.private}
	return to.kind === 'webhook' ? {...trust, url: to.url} : {...trust, host: to.host, port: String(to.port)}
}

/** Keeps what the form does not show. */
function inputOf(draft: Draft, before: TargetDefinition | undefined): unknown {
	const {name, kind, path, host, url, format} = draft
	const trust = {ca: draft.ca.trim() === '' ? null : draft.ca, private: draft.isPrivate}
	const to = {file: {path}, syslog: {host, port: Number(draft.port), ...trust}, webhook: {url, ...trust}}[kind]
	return {
		...(before !== undefined && {enabled: before.enabled}),
		...{name, format},
		to: {...(before !== undefined && before.to.kind === kind && before.to), kind, ...to},
		events: draft.takesEvents ? {connection: draft.connection, filter: draft.filter} : null,
		log: draft.takesLog ? {text: draft.words, changesOnly: draft.changesOnly} : null
	}
}

const kinds = [
	{value: 'file', label: t.file, detail: t.jsonLinesRotated},
	{value: 'syslog', label: t.syslog, detail: t.overTls},
	{value: 'webhook', label: t.webhook, detail: t.signedCloudEvents}
] as const
const formats = [
	{value: 'ocsf', label: t.ocsf},
	{value: 'as_is', label: t.asTheyAre}
] as const

export function TargetDialog({row, onClose, onSaved}: TargetDialogProps) {
	const active = useActiveConnectionOrNull()?.id ?? ''
	const [draft, setDraft] = useState(() => draftOf(row, active))
	const [fromBeginning, setFromBeginning] = useState(false)
	const form = formFor(draft, change => setDraft(old => ({...old, ...change})))
	const {field} = form
	const input = inputOf(draft, row?.definition)
	const [issue] = targetSchema.safeParse(input).error?.issues ?? []
	return (
		<ActDialog
			title={row === null ? t.addTarget : t.change(row.definition.name)}
			act={row === null ? t.addTarget : t.save}
			work={client => client.targets.save({...(row === null ? {fromBeginning} : {id: row.id}), definition: targetSchema.parse(input)})}
			missing={issue && t.targetProblem(issue.path.join(' ') || t.theTarget, issue.message)}
			onDone={onSaved}
			onClose={onClose}
		>
			<TextField label={t.name} {...field('name')} maxLength={100} autoFocus />
			<RadioGroup label={t.sendTo} options={kinds} {...field('kind')} />
			<Place {...form} />
			<What {...form} />
			<Select label={t.format} options={formats} {...field('format')} />
			{row === null && (
				<Checkbox isSelected={fromBeginning} onChange={setFromBeginning}>
					{t.beginWithStored}
				</Checkbox>
			)}
		</ActDialog>
	)
}

function Place({draft, field, check}: Form<Draft>) {
	if (draft.kind === 'file') return <TextField label={t.path} {...field('path')} mono placeholder={t.examplePath} />
	return (
		<>
			{draft.kind === 'syslog' ? (
				<div className="fields">
					<TextField label={t.host} {...field('host')} mono />
					<TextField label={t.port} {...field('port')} mono />
				</div>
			) : (
				<TextField label={t.address} {...field('url')} mono placeholder={t.exampleAddress} />
			)}
			<TextArea label={t.authoritiesPem} {...field('ca')} mono rows={2} />
			<Checkbox {...check('isPrivate')}>{t.allowPrivateAddress}</Checkbox>
		</>
	)
}

function What({draft, set, field, check}: Form<Draft>) {
	const connections = useConnections() ?? []
	return (
		<>
			<Checkbox {...check('takesEvents')}>{t.storedEvents}</Checkbox>
			{draft.takesEvents && (
				<>
					<Select
						label={t.connection}
						options={optionsByName(connections)}
						value={draft.connection === '' ? null : draft.connection}
						onChange={connection => set({connection})}
					/>
					<TextField label={t.filterOfEvents} {...field('filter')} mono placeholder={t.exampleFilter} description={t.emptyForAll} />
				</>
			)}
			<Checkbox {...check('takesLog')}>{t.entriesOfLog}</Checkbox>
			{draft.takesLog && (
				<>
					<TextField label={t.words} {...field('words')} description={t.emptyForAll} />
					<Checkbox {...check('changesOnly')}>{t.onlyChanges}</Checkbox>
				</>
			)}
		</>
	)
}
