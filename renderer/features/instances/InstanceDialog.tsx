import {useEffect, useRef, useState} from 'react'

import type {ForwarderStatus} from '#contract/instances.ts'
import {type Instance, nameProblem, needsEncoding} from '#model/instance.ts'
import {useApi} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {bound, boundCheck} from '#ui/bound.ts'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {AccessPart} from './AccessPart.tsx'
import {type Draft, draftOf, emptyDraft} from './draft.ts'
import {errorAt, type PartProps} from './fields.tsx'
import {CallersPart, HealthPart, LimitsPart, OptionsPart, TimesPart} from './FoldedParts.tsx'
import styles from './form.module.css'
import {ConfirmField, confirmReason} from './GuardDialog.tsx'
import {ProgramPart} from './ProgramPart.tsx'
import {type Problem, readDraft} from './read-draft.ts'
import {t} from './text.ts'
import {type Guard, useGuard} from './use-guard.ts'

interface InstanceDialogProps {
	/** `null` for a new one. */
	stored: Instance | null
	/** How a new one begins. */
	draft?: Draft
	/** `undefined` while loading. */
	server: ForwarderStatus | undefined
	onClose: () => void
	onSaved: (instance: Instance) => void
}

/** All settings of an instance. Rarely used ones are folded. */
export function InstanceDialog({stored: now, draft: begun = emptyDraft, server, onClose, onSaved}: InstanceDialogProps) {
	// As read for the draft: a later one would hide that it was changed meanwhile.
	const [stored] = useState(now)
	const form = useInstanceForm(stored, begun, onSaved)
	const [typed, setTyped] = useState('')
	const {draft, problem, failure, guard, set} = form
	const body = useRef<HTMLFormElement>(null)
	useErrorInView(body, form)
	const part = {draft, set, problem}
	const {asked} = guard
	const verb = stored === null ? 'Add instance' : 'Save'
	return (
		<Dialog
			title={stored === null ? t.addAnInstance : t.change(stored.name)}
			size="large"
			cancel
			onClose={onClose}
			act={
				asked === null
					? [verb, form.save, guard.isPending ? t.saving : null]
					: [t.andExpose(verb), () => guard.confirm(typed), confirmReason(asked, typed, guard), 'danger']
			}
		>
			<form
				ref={body}
				className={styles.form}
				onSubmit={event => {
					event.preventDefault()
					// Enter alone never confirms.
					if (asked === null && !guard.isPending) form.save()
				}}
			>
				<BasicsPart {...part} stored={stored} server={server} />
				<ProgramPart {...part} />
				<AccessPart {...part} stored={stored} />
				{stored === null && <ExposePart draft={draft} set={set} />}
				<div className={styles.folded}>
					<CallersPart {...part} />
					<LimitsPart {...part} />
					<TimesPart {...part} />
					<OptionsPart {...part} />
					<HealthPart {...part} />
				</div>
				{failure !== null && <Banner tone="bad">{failure}</Banner>}
				{asked !== null && <ConfirmField asked={asked} typed={typed} onType={setTyped} autoFocus />}
				<button type="submit" hidden aria-hidden tabIndex={-1} />
			</form>
		</Dialog>
	)
}

function ExposePart({draft, set}: Pick<InstanceForm, 'draft' | 'set'>) {
	return (
		<Checkbox {...boundCheck(draft, set, 'isExposed')}>
			{t.exposeRoute}
			<span className={styles.dim}>{t.ifOffDefault}</span>
		</Checkbox>
	)
}

/** In a long form the faulty field, or the question, may be out of view. */
function useErrorInView(body: React.RefObject<HTMLElement | null>, {problem, failure, guard}: InstanceForm) {
	const what = `${problem?.field ?? ''} ${failure ?? ''} ${guard.asked?.text ?? ''}`.trim()
	useEffect(() => {
		if (what === '') return
		// After its part has opened.
		const frame = requestAnimationFrame(() => {
			const field = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
			if (field != null) {
				field.scrollIntoView({block: 'center'})
				field.focus()
			} else body.current?.lastElementChild?.previousElementSibling?.scrollIntoView({block: 'nearest'})
		})
		return () => cancelAnimationFrame(frame)
	}, [what, body])
}

interface InstanceForm {
	readonly draft: Draft
	readonly problem: Problem | null
	/** A failure of no particular field. */
	readonly failure: string | null
	readonly guard: Guard
	set(change: Partial<Draft>): void
	save(): void
}

/** A new or edited instance; a failed save loses nothing typed. */
function useInstanceForm(stored: Instance | null, begun: Draft, onSaved: (instance: Instance) => void): InstanceForm {
	const {client} = useApi()
	const guard = useGuard()
	const [draft, setDraft] = useState<Draft>(() => (stored === null ? begun : draftOf(stored)))
	const [typedProblem, setProblem] = useState<Problem | null>(null)
	const save = () => {
		const reading = readDraft(draft, stored)
		setProblem(reading.kind === 'problem' ? reading.problem : null)
		if (reading.kind === 'problem') return
		const {definition, secrets} = reading
		guard.run(
			confirmation =>
				client.instances.save({
					...(stored !== null && {id: stored.id, revision: stored.revision}),
					definition,
					secrets,
					// A stored one keeps its exposure, which has its own control.
					...(stored === null && draft.isExposed && {exposed: true}),
					...confirmation,
				}),
			onSaved,
		)
	}
	const field = pathOf(guard.error?.details.field)
	const told = guard.error === null || field === undefined ? null : {field, message: guard.error.message}
	const problem = typedProblem ?? (told !== null && hasPlace(told.field) ? told : null)
	return {
		draft,
		problem,
		failure: guard.error !== null && problem === null ? guard.error.message : null,
		guard,
		set: change => {
			setDraft(old => ({...old, ...change}))
			setProblem(null)
			guard.clear()
		},
		save,
	}
}

const secretFields: ReadonlySet<string> = new Set(['users', 'tokens', 'signingKey'])

/** The form's name of the field. */
function pathOf(field: string | undefined) {
	const path = field?.replace(/^definition\./, '')
	return path !== undefined && secretFields.has(path.split('.')[0] ?? '') ? `secrets.${path}` : path
}

/** First path steps with a field in the form. */
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
])

function hasPlace(field: string) {
	return places.has(field.split('.')[0] ?? '')
}

interface BasicsPartProps extends PartProps {
	stored: Instance | null
	server: ForwarderStatus | undefined
}

/** The name, which is the address, and the port. */
function BasicsPart({draft, set, problem, stored, server}: BasicsPartProps) {
	return (
		<>
			<div className={styles.field}>
				<TextField
					label={t.name}
					{...bound(draft, set, 'name')}
					isRequired
					autoFocus
					maxLength={200}
					autoComplete="off"
					error={errorAt(problem, 'name')}
					placeholder={t.edl}
				/>
				<Preview name={draft.name.trim()} origin={server?.origins[0] ?? ''} stored={stored} />
			</div>
			<RadioGroup
				label={t.whoRunsIt}
				orientation="horizontal"
				value={draft.kind}
				onChange={kind =>
					set({
						kind,
						...(stored === null && {port: usualPort(kind, draft.listenPort)}),
						// Its only access control.
						...(kind === 'webhook' && draft.access === 'none' && {access: 'hmac'}),
					})
				}
				options={[
					{value: 'external', label: 'Someone else', detail: 'a service on this computer'},
					{value: 'managed', label: 'Cordon', detail: 'starts a command, keeps it running'},
					{value: 'list', label: 'Built in: list service', detail: 'publishes a list for firewalls'},
					{value: 'indicators', label: 'Built in: indicator export', detail: 'TAXII 2.1 for threat intelligence'},
					{value: 'webhook', label: 'Built in: webhook', detail: 'takes signed requests, such as chat commands'},
				]}
			/>
			<Port draft={draft} set={set} problem={problem} stored={stored} />
		</>
	)
}

/** Ports are arbitrary for instances run by Cordon, and given for external ones. */
function usualPort(kind: Draft['kind'], typed: string): Draft['port'] {
	return kind === 'external' || typed !== '' ? 'given' : 'automatic'
}

/** The future address while the name is typed. Always two lines high. */
function Preview({name, origin, stored}: {name: string; origin: string; stored: Instance | null}) {
	const wrong = name === '' ? null : nameProblem(name.normalize('NFC'))
	const note = noteOf(name, wrong, stored)
	const isWarning = wrong !== null || needsEncoding(name === '' ? 'x' : name)
	return (
		<p className={styles.preview} aria-live="polite">
			<span className={styles.url}>
				{t.instanceExecute(origin, wrong === null && name !== '' ? encodeURIComponent(name.normalize('NFC')) : '…')}
			</span>
			<span className={cx('note', isWarning && 'warn')}>{note}</span>
		</p>
	)
}

function noteOf(name: string, wrong: string | null, stored: Instance | null) {
	if (name === '') return 'The name is part of the address, and case-sensitive.'
	if (wrong !== null) return `The name ${wrong}.`
	if (needsEncoding(name))
		return 'The name must be encoded in addresses, which firewalls and chat services are known to get wrong: letters, digits, dots, - and _ are safe.'
	if (stored !== null && stored.name !== name)
		return `Addresses with the old name ${stored.name} go on working until another instance takes it.`
	return 'The name is case-sensitive.'
}

function Port({draft, set, problem, stored}: PartProps & {readonly stored: Instance | null}) {
	const isGiven = draft.port === 'given'
	const external = draft.kind === 'external'
	return (
		<div className={styles.port}>
			<RadioGroup
				label={t.listenPort}
				orientation="horizontal"
				{...bound(draft, set, 'port')}
				options={[
					{value: 'automatic', label: 'Automatic', detail: 'a free loopback port, kept from then on'},
					{value: 'given', label: 'Given', detail: external ? 'where the service listens' : 'a port of your choice'},
				]}
			/>
			<PortNumber draft={draft} set={set} problem={problem} stored={stored} isDisabled={!isGiven} />
		</div>
	)
}

type Found = {readonly port: string; readonly text: string; readonly isGood: boolean}

interface PortNumberProps extends PartProps {
	stored: Instance | null
	isDisabled: boolean
}

function PortNumber({draft, set, problem, stored, isDisabled}: PortNumberProps) {
	const {client} = useApi()
	const [found, setFound] = useState<Found | null>(null)
	const [isChecking, setChecking] = useState(false)
	const port = draft.listenPort.trim()
	const check = async () => {
		setChecking(true)
		try {
			const input = {port: Number(port), ...(stored !== null && {id: stored.id})}
			const {free, holder} = await client.instances.checkPort(input)
			setFound({port, ...wordsOf(free, holder, draft.kind === 'external')})
		} catch (thrown) {
			setFound({port, text: asCordonError(thrown).message, isGood: false})
		}
		setChecking(false)
	}
	return (
		<div className={styles.portNumber}>
			<TextField
				label={t.port}
				{...bound(draft, set, 'listenPort')}
				isDisabled={isDisabled}
				error={isDisabled ? null : errorAt(problem, 'listenPort')}
				autoComplete="off"
				placeholder="9000"
				after={
					<Button
						onPress={() => void check()}
						reason={isDisabled || !/^\d{1,5}$/.test(port) ? t.typePortFirst : isChecking ? t.checking : null}
						className={styles.check}
					>
						{t.checkPort}
					</Button>
				}
			/>
			<p className={cx('note', found?.isGood === false && 'warn')} role="status">
				{found !== null && found.port === port ? found.text : ''}
			</p>
		</div>
	)
}

/** An external instance needs a used port; the others need a free one. */
function wordsOf(free: boolean, holder: string | null, external: boolean): Omit<Found, 'port'> {
	const by = holder === null ? 'by another program' : `by ${holder}`
	if (external) {
		return free ? {text: 'Nothing listens there yet.', isGood: true} : {text: `Held ${by}.`, isGood: true}
	}
	return free ? {text: 'The port is free.', isGood: true} : {text: `The port is held ${by}.`, isGood: false}
}
