import {useRef, useState} from 'react'

import {entryKinds, type Incident, surfaces} from '#model/incident.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useConnections, useSetSettings, useSettings, useAsked, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {Button} from '#ui/Button.tsx'
import {TextField, Checkbox} from '#ui/Field.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {type Option, Select, optionsOf, optionsByName} from '#ui/Select.tsx'
import {Chip} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {kindWords, surfaceWords} from './entry-words.ts'
import styles from './IncidentLogScreen.module.css'
import {allTenants, type IncidentLogSearch, type Span, spans} from './search.ts'
import {t} from './text.ts'

interface LogBarProps {
	search: IncidentLogSearch
	/** Matching entries, and the lines that show them. */
	matching: {own: number; lines: number} | undefined
	onChange: (next: Partial<IncidentLogSearch>) => void
	onNote: () => void
	onExport: () => void
	onHandover: () => void
	onVerify: () => void
	/** `null`: no selection, or too large. */
	onDraft: (() => void) | null
}

export function LogBar({search, matching, onChange, onNote, onExport, onHandover, onVerify, onDraft}: LogBarProps) {
	const box = useRef<HTMLInputElement>(null)
	useKey('log.filter', () => box.current?.focus())
	return (
		<>
			<ScreenBar title={t.incidentLog} facts={matching === undefined ? undefined : <Counts {...matching} />}>
				<Button onPress={onNote} opens keys="n">
					{t.addNote}
				</Button>
				<Button onPress={onHandover} tooltip={t.whatOpenWhat}>
					{t.shiftHandover}
				</Button>
				<Button onPress={() => onChange({pictures: search.pictures === true ? undefined : true})} tooltip={t.hostsChanges}>
					{search.pictures === true ? t.hideCharts : t.charts}
				</Button>
				<Button onPress={onVerify} tooltip={t.checksHash}>
					{t.verify}
				</Button>
				<Button onPress={() => onDraft?.()} reason={onDraft === null ? t.selectCommands : null} tooltip={t.draftOfSelection}>
					{t.draftPlaybook}
				</Button>
				<Button onPress={onExport} opens keys="e">
					{t.exportMore}
				</Button>
			</ScreenBar>
			<div className="tools">
				<AddressField
					label={t.searchTheLog}
					hideLabel
					value={search.text}
					onChange={text => onChange({text})}
					placeholder={t.searchMessages}
					inputRef={box}
					className={styles.grow}
				/>
				<IncidentPicker incident={search.incident} onChange={incident => onChange({incident})} />
				<Conditions search={search} onChange={onChange} />
				<Checkbox isSelected={search.writes === true} onChange={writes => onChange({writes: writes ? true : undefined})}>
					{t.changesOnly}
				</Checkbox>
				<Checkbox isSelected={search.pinned === true} onChange={pinned => onChange({pinned: pinned ? true : undefined})}>
					{t.pinnedOnly}
				</Checkbox>
				<Chips search={search} onChange={onChange} />
				<ChosenTime search={search} onChange={onChange} />
			</div>
		</>
	)
}

function Counts({own, lines}: {own: number; lines: number}) {
	const entries = counted(own, nouns.entry)
	return <span>{own === lines ? entries : t.entriesInLines(entries, counted(lines, nouns.line))}</span>
}

/** Conditions that come from an entry or a link. */
function Chips({search, onChange}: Pick<LogBarProps, 'search' | 'onChange'>) {
	return (['target', 'hash'] as const).map(name => {
		const value = search[name]
		return value === undefined ? null : (
			<Chip key={name} name={name} onRemove={() => onChange({[name]: undefined})} removeLabel={t.removeCondition(name)}>
				{value}
			</Chip>
		)
	})
}

function ChosenTime({search: {from, to}, onChange}: Pick<LogBarProps, 'search' | 'onChange'>) {
	if (from === undefined && to === undefined) return null
	return (
		<Chip name="time" onRemove={() => onChange({from: undefined, to: undefined})} removeLabel={t.removeConditionTime}>
			{from !== undefined && <Time at={from} form="exact" />} {t.to} {to === undefined ? t.now : <Time at={to} form="exact" />}
		</Chip>
	)
}

function IncidentPicker({incident, onChange}: {incident: string | undefined; onChange: (incident: string | undefined) => void}) {
	const {activeIncident} = useSettings()
	const set = useSetSettings()
	const [opening, setOpening] = useState(false)
	const {data: incidents = []} = useAsked(q => q.log.incidents)
	const setOpen = useCall((client, input: {id: string; open: boolean}) => client.log.setIncidentOpen(input))
	const shown = incidents.find(each => each.id === incident)
	return (
		<>
			<Choice
				label={t.incident}
				chosen={shown?.id}
				onChoose={onChange}
				all="All incidents"
				options={incidents.map(({id, title, reference, open}) => ({
					value: id,
					label: title,
					detail: [reference, open ? 'open' : 'closed', id === activeIncident ? 'new entries join it' : ''].filter(Boolean).join(' · ')
				}))}
			/>
			{shown !== undefined && (
				<>
					{shown.open && shown.id !== activeIncident ? <Button onPress={() => set({activeIncident: shown.id})}>{t.letNewEntries}</Button> : null}
					{shown.id === activeIncident && <Button onPress={() => set({activeIncident: null})}>{t.stopJoining}</Button>}
					<Button
						reason={setOpen.isPending ? t.saving : null}
						onPress={() => {
							setOpen.mutate({id: shown.id, open: !shown.open})
							if (shown.open && shown.id === activeIncident) set({activeIncident: null})
						}}
					>
						{shown.open ? t.closeIncident : t.reopen}
					</Button>
					<Failure error={setOpen.error} />
				</>
			)}
			<Button onPress={() => setOpening(true)} opens>
				{t.newIncidentMore}
			</Button>
			{opening ? (
				<IncidentDialog
					onClose={() => setOpening(false)}
					onOpened={opened => {
						set({activeIncident: opened.id})
						onChange(opened.id)
						setOpening(false)
					}}
				/>
			) : null}
		</>
	)
}

/** Opens an incident; later entries of this profile join it. */
function IncidentDialog({onClose, onOpened}: {onClose: () => void; onOpened: (incident: Incident) => void}) {
	const [title, setTitle] = useState('')
	const [reference, setReference] = useState('')
	const isTitled = title.trim() !== ''
	return (
		<ActDialog
			title={t.newIncident}
			size="small"
			act={t.open}
			work={client => client.log.openIncident({title: title.trim(), reference: reference.trim()})}
			isReady={isTitled}
			onDone={onOpened}
			onClose={onClose}
		>
			{({wasPressed}) => (
				<>
					<TextField
						label={t.title}
						value={title}
						onChange={setTitle}
						isRequired
						autoFocus
						maxLength={200}
						error={wasPressed && !isTitled ? t.giveTitle : null}
					/>
					<TextField label={t.reference} value={reference} onChange={setReference} maxLength={200} description={t.ticketNumber} />
					<p className="note">{t.newEntries}</p>
				</>
			)}
		</ActDialog>
	)
}

const any = 'any'

const spanWords: Readonly<Record<Span, string>> = {'1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days'}

/** Type, time, surface and connection; all are in the address. */
function Conditions({search, onChange}: Pick<LogBarProps, 'search' | 'onChange'>) {
	const connections = useConnections() ?? []
	const {data: people = []} = useAsked(q => q.log.people)
	return (
		<>
			<Choice
				label={t.time}
				chosen={search.within}
				onChoose={within => onChange({within})}
				all="Any time"
				options={optionsOf(spans, spanWords)}
			/>
			<Choice
				label={t.kind}
				chosen={search.kind}
				onChoose={kind => onChange({kind})}
				all="Any kind"
				options={entryKinds.map(kind => ({value: kind, label: kindWords[kind].word, detail: kind}))}
			/>
			<Choice
				label={t.from}
				chosen={search.surface}
				onChoose={surface => onChange({surface})}
				all="From anywhere"
				options={optionsOf(surfaces, surfaceWords)}
			/>
			<Choice
				label={t.person}
				chosen={search.person}
				onChoose={person => onChange({person})}
				all="Anybody"
				options={optionsOf(withChosen(people, search.person))}
			/>
			{connections.length < 2 && search.connection === undefined ? null : (
				<Choice
					label={t.connection}
					chosen={search.connection}
					onChoose={connection => onChange({connection})}
					all="This tenant"
					options={[{value: allTenants, label: 'All tenants'}, ...optionsByName(connections)]}
				/>
			)}
		</>
	)
}

interface ChoiceProps<V extends string> {
	label: string
	chosen: V | undefined
	onChoose: (value: V | undefined) => void
	/** Of what matches without a choice. */
	all: string
	options: readonly Option<V>[]
}

function Choice<V extends string>({label, chosen, onChoose, all, options}: ChoiceProps<V>) {
	return (
		<Select<V | typeof any>
			label={label}
			hideLabel
			value={chosen ?? any}
			onChange={value => onChoose(value === any ? undefined : value)}
			options={[{value: any, label: all}, ...options]}
		/>
	)
}

/** A person without entries here can be chosen from changes elsewhere. */
function withChosen(people: readonly string[], chosen: string | undefined) {
	return chosen === undefined || people.includes(chosen) ? people : [...people, chosen]
}
