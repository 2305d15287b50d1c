import {useNavigate, useParams, useSearch} from '@tanstack/react-router'
import {useDeferredValue, useMemo, useState} from 'react'

import {messageOf} from '#contract/errors.ts'
import {copyOf, type Variable} from '#model/playbook-document.ts'
import {type PlaybookDetail, type PlaybookVerdict, variableTypes} from '#model/playbook.ts'
import {useApi, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Button} from '#ui/Button.tsx'
import {TextArea, TextField, Checkbox, Switch} from '#ui/Field.tsx'
import {Unloaded} from '#ui/States.tsx'
import {Screen, ScreenBody, ScreenBar} from '#ui/Screen.tsx'
import {Select, optionsOf} from '#ui/Select.tsx'
import {Confined, LazyGraph} from '../LazyGraph.tsx'
import {SignatureTag} from '../SignatureTag.tsx'
import {t} from '../text.ts'
import {Badges} from './Badges.tsx'
import {changeVariable, type Draft, emptyDraft, newId, resultName, versionOf} from './edit.ts'
import styles from './Editor.module.css'
import type {FormProps} from './form-props.ts'
import {DocumentActions, LibraryDocument} from './LibraryDocument.tsx'
import {faultIn, Problems} from './Problems.tsx'
import {StepForm} from './StepForm.tsx'
import {type Change, leave, useDraft, useEditorKeys, useVerdict} from './use-draft.ts'

/** A document: of the library to be read and copied, or one's own to be edited. */
export function EditorScreen() {
	const {playbook} = useParams({from: '/playbooks/document/$playbook'})
	const {from, entries} = useSearch({from: '/playbooks/document/$playbook'})
	const source = playbook === 'new' ? from : playbook
	const known = useAsked(q => q.playbooks.get, {
		input: {playbook: source ?? ''},
		enabled: source !== undefined,
		// A refresh must not overwrite text being written.
		staleTime: Infinity
	})
	if (source === undefined && entries !== undefined) return <DraftDocument key={entries} entries={entries} />
	if (source === undefined) return <NewDocument key="new" />
	const {data} = known
	if (data === undefined) return <Unloaded of={known} title={t.couldNotLoadPlaybooks} lines={8} label={t.playbooks} />
	if (playbook === 'new') return <NewDocument key={`copy ${source}`} source={data} />
	if (data.origin === 'library') return <LibraryDocument key={playbook} detail={data} />
	return <Editor key={playbook} place={data.id} first={draftOf(data)} detail={data} />
}

function draftOf({document}: PlaybookDetail) {
	// Checked when it was stored.
	return document as unknown as Draft
}

function NewDocument({source}: {source?: PlaybookDetail}) {
	const [first] = useState(() => {
		const now = new Date().toISOString()
		return source === undefined ? emptyDraft(t.newPlaybook, now) : copyOf(draftOf(source), newId('playbook'), t.copyOf(source.name), now)
	})
	return <Editor place={`new ${source?.id ?? ''}`} first={first} detail={null} />
}

function DraftDocument({entries}: {entries: string}) {
	const input = {entries: entries.split(',')}
	const draft = useAsked(q => q.playbooks.draft, {input, staleTime: Infinity})
	if (draft.data === undefined) return <Unloaded of={draft} title={t.couldNotDraft} lines={8} label={t.playbooks} />
	// Composed by the host.
	return <Editor place={`new ${entries}`} first={draft.data as Draft} detail={null} />
}

interface EditorProps {
	place: string
	first: Draft
	/** The stored version; `null`: none. */
	detail: PlaybookDetail | null
}

function Editor({place, first, detail}: EditorProps) {
	const parts = useDraft(place, first)
	const {draft, change} = parts
	const [{chosen, isFormFocused}, setChosen] = useState<Chosen>({chosen: null, isFormFocused: false})
	const [withJson, setJson] = useState(() => window.innerWidth >= 1600)
	const verdict = useVerdict(draft)
	const issues = verdict?.issues ?? []
	const marks = useMemo(() => marksOf(verdict), [verdict])
	const seen = useDeferredValue(draft)
	const step = chosen === null ? undefined : draft.workflow[chosen]
	const choose = (id: string | null) => setChosen({chosen: id, isFormFocused: true})
	return (
		<Screen>
			<EditorBar {...{place, detail, parts, verdict, withJson, setJson}} />
			<ScreenBody>
				<div className={styles.picture}>
					<LazyGraph
						document={seen}
						marks={marks}
						selected={step === undefined ? null : chosen}
						onSelect={id => setChosen({chosen: id, isFormFocused: false})}
					/>
					<Problems verdict={verdict} onChoose={choose} />
				</div>
				<aside className={styles.form} aria-label={t.editor}>
					<Confined key={chosen} of={draft}>
						{step === undefined || chosen === null ? (
							<PlaybookForm draft={draft} issues={issues} onChange={change} isFocused={isFormFocused} />
						) : (
							<StepForm {...{draft, id: chosen, issues, isFocused: isFormFocused}} onChange={change} onChoose={choose} />
						)}
					</Confined>
				</aside>
				{withJson && <JsonPart key={chosen} draft={draft} step={step === undefined ? null : chosen} onChange={change} />}
			</ScreenBody>
		</Screen>
	)
}

interface Chosen {
	chosen: string | null
	/** Whether it was chosen in the form or the problems: the focus stays there. */
	isFormFocused: boolean
}

type Marks = Parameters<typeof LazyGraph>[0]['marks']

function marksOf(verdict: PlaybookVerdict | null): Marks {
	const wrong = (verdict?.issues ?? []).filter(({level}) => level === 'error' || level === 'refused')
	return new Map(wrong.flatMap(({step, message}) => (step === null ? [] : [[step, {mark: 'wrong', words: message}]])))
}

interface EditorBarProps extends Pick<EditorProps, 'place' | 'detail'> {
	parts: ReturnType<typeof useDraft>
	verdict: PlaybookVerdict | null
	withJson: boolean
	setJson: (shown: boolean) => void
}

function EditorBar({detail, parts, verdict, withJson, setJson}: EditorBarProps) {
	const {draft, undo, redo, isChanged, discard, change} = parts
	const save = useSave(parts, detail)
	const waits = save.isPending ? t.inProgress : null
	const block = verdict?.valid === false ? t.correctErrors : isChanged || detail === null ? waits : t.noChanges
	useEditorKeys({undo, redo, save: block === null ? () => save.mutate() : null})
	return (
		<>
			<ScreenBar
				within={{list: t.playbooks, href: '/playbooks'}}
				title={draft.name}
				facts={
					<>
						<Badges verdict={verdict} />
						{detail !== null && !isChanged && <SignatureTag signature={detail.signature} />}
					</>
				}
			>
				<Switch isSelected={withJson} onChange={setJson}>
					{t.json}
				</Switch>
				<Button onPress={() => undo?.()} reason={undo === null ? t.nothingToUndo : null} tooltip={t.undoKeys}>
					{t.undo}
				</Button>
				<Button onPress={() => redo?.()} reason={redo === null ? t.nothingToRedo : null} tooltip={t.redoKeys}>
					{t.redo}
				</Button>
				{detail !== null && isChanged && <Button onPress={discard}>{t.discard}</Button>}
				{detail !== null && !isChanged && <DocumentActions detail={detail} onRestore={change} />}
				<Button tone="primary" onPress={() => save.mutate()} reason={block} tooltip={t.saveKeys}>
					{detail === null ? t.savePlaybook : t.saveVersion}
				</Button>
			</ScreenBar>
			<Failure error={save.error} />
		</>
	)
}

function useSave({draft, saved}: Pick<EditorBarProps['parts'], 'draft' | 'saved'>, detail: PlaybookDetail | null) {
	const {queries, cache} = useApi()
	const navigate = useNavigate()
	return useCall(
		async client => {
			const version = versionOf(draft, new Date().toISOString())
			return {sent: draft, version, stored: await client.playbooks.import({text: JSON.stringify(version)})}
		},
		{
			onSuccess: ({sent, version, stored}) => {
				// The screen of its ID begins with what was typed meanwhile.
				if (detail === null && draft !== sent) leave(stored.id, draft)
				if (detail === null) saved(draft, draft)
				else saved(sent, version)
				cache.setQueryData(queries.playbooks.get.queryKey({input: {playbook: stored.id}}), stored)
				void cache.invalidateQueries({queryKey: queries.playbooks.list.key()})
				if (detail === null) void navigate({to: '/playbooks/document/$playbook', params: {playbook: stored.id}, replace: true})
			}
		}
	)
}

interface JsonPartProps {
	draft: Draft
	/** `null`: the whole document. */
	step: string | null
	onChange: Change
}

function JsonPart({draft, step, onChange}: JsonPartProps) {
	const value: unknown = step === null ? draft : draft.workflow[step]
	const shown = useMemo(() => JSON.stringify(value, null, 2), [value])
	const [{text, error}, setTyped] = useState<Typed>({text: null, error: null})
	const type = (next: string) => {
		const {parsed, fault} = read(next, step === null ? 'workflow' : 'type')
		setTyped({text: next, error: fault})
		if (parsed === null) return
		// The check reports problems.
		const changed = step === null ? parsed : {...draft, workflow: {...draft.workflow, [step]: parsed}}
		onChange(changed as Draft, `json ${step}`)
	}
	// While typed it stays as typed; an outside change, such as undo, shows the draft again.
	const isTyped = text !== null && (error !== null || sameJson(text, shown))
	return (
		<div className={styles.json}>
			<TextArea
				label={step === null ? t.jsonOfPlaybook : t.jsonOfStep}
				mono
				value={isTyped ? text : shown}
				onChange={type}
				error={isTyped ? error : null}
			/>
		</div>
	)
}

interface Typed {
	text: string | null
	error: string | null
}

/** Minimum shape for the forms. */
function read(text: string, key: string): {parsed: object | null; fault: string | null} {
	try {
		const parsed: unknown = JSON.parse(text)
		if (typeof parsed !== 'object' || parsed === null || !(key in parsed)) return {parsed: null, fault: t.noPlaybook}
		return isShaped(parsed) ? {parsed, fault: null} : {parsed: null, fault: t.noPlaybook}
	} catch (failure) {
		return {parsed: null, fault: messageOf(failure)}
	}
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isShaped(parsed: object) {
	if (!('workflow' in parsed)) return true
	// The bar shows the name.
	if (!('name' in parsed) || typeof parsed.name !== 'string') return false
	return isObject(parsed.workflow) && Object.values(parsed.workflow).every(isObject)
}

function sameJson(one: string, other: string) {
	try {
		return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
	} catch {
		return false
	}
}

/** The document itself: its name, and the variables set by a start and by steps. */
function PlaybookForm({draft, issues, isFocused, onChange}: FormProps) {
	const [name, setName] = useState('')
	const variables = Object.entries(draft.playbook_variables ?? {}).filter(([key]) => key !== resultName)
	const key = `__${name.trim().replaceAll(/[^\w-]/g, '_')}__`
	return (
		<div className={styles.fields}>
			<p className="quiet">{t.chooseStepToEdit}</p>
			<TextField
				label={t.name}
				autoFocus={isFocused}
				value={draft.name}
				onChange={text => onChange({...draft, name: text}, 'name')}
				error={draft.name.trim() === '' ? t.missing(t.name) : faultIn(issues, null, 'name')}
			/>
			<TextArea
				label={t.description}
				rows={2}
				value={draft.description ?? ''}
				onChange={description => onChange({...draft, description}, 'description')}
			/>
			<h3>{t.variables}</h3>
			{variables.map(([one, variable]) => (
				<VariableForm
					key={one}
					{...{name: one, variable}}
					error={faultIn(issues, null, `playbook_variables.${one}`)}
					onChange={(next, field) => onChange(changeVariable(draft, one, next), field && `${one} ${field}`)}
				/>
			))}
			<div className="fields">
				<TextField label={t.newVariable} value={name} onChange={setName} />
				<Button
					onPress={() => {
						onChange(changeVariable(draft, key, {type: 'string', external: true}))
						setName('')
					}}
					reason={name.trim() === '' ? t.missing(t.newVariable) : draft.playbook_variables?.[key] === undefined ? null : t.known}
				>
					{t.addVariable}
				</Button>
			</div>
		</div>
	)
}

interface VariableFormProps {
	name: string
	variable: Variable
	error: string | null
	onChange: (next: Variable | null, field?: string) => void
}

function VariableForm({name, variable, error, onChange}: VariableFormProps) {
	const {type, description = '', value, external = false} = variable
	const plain = name.replaceAll('__', '')
	return (
		<fieldset>
			<legend>{plain}</legend>
			<Select label={t.typeOfValue} value={type} options={optionsOf(variableTypes)} onChange={next => onChange({...variable, type: next})} />
			<TextField label={t.description} value={description} onChange={next => onChange({...variable, description: next}, 'description')} />
			<TextField
				label={t.value}
				value={value ?? ''}
				onChange={next => onChange({...variable, value: next === '' ? null : next}, 'value')}
				error={error}
			/>
			<div className="fields">
				<Checkbox isSelected={external} onChange={next => onChange({...variable, external: next})}>
					{t.givenAtStart}
				</Checkbox>
				<span className="spring" />
				<Button small onPress={() => onChange(null)} aria-label={t.removeNamed(plain)}>
					{t.takeOut}
				</Button>
			</div>
		</fieldset>
	)
}
