import {useEffect, useRef, useState} from 'react'

import type {ForwarderStatus} from '#contract/instances.ts'
import {type Instance, nameProblem, needsEncoding} from '#model/instance.ts'
import {useApi} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {formFor} from '#ui/form.ts'
import {AccessPart} from './AccessPart.tsx'
import {type Draft, draftOf, emptyDraft} from './draft.ts'
import type {PartProps} from './fields.tsx'
import {CallersPart, HealthPart, LimitsPart, OptionsPart, TimesPart} from './FoldedParts.tsx'
import styles from './form.module.css'
import {confirmAct, ConfirmField} from './GuardDialog.tsx'
import {ProgramPart} from './ProgramPart.tsx'
import {type Problem, readDraft} from './read-draft.ts'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'

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
	const {failure, guard} = form
	const body = useRef<HTMLFormElement>(null)
	useErrorInView(body, form)
	const verb = stored === null ? 'Add instance' : 'Save'
	return (
		<Dialog
			title={stored === null ? t.addAnInstance : t.change(stored.name)}
			size="large"
			cancel
			onClose={onClose}
			act={guard.asked === null ? [verb, form.save, guard.isPending ? t.saving : null] : confirmAct(t.andExpose(verb), guard)}
		>
			<form
				ref={body}
				className={styles.form}
				onSubmit={event => {
					event.preventDefault()
					// Enter alone never confirms.
					if (guard.asked === null && !guard.isPending) form.save()
				}}
			>
				<BasicsPart {...form} stored={stored} server={server} />
				<ProgramPart {...form} />
				<AccessPart {...form} stored={stored} />
				{stored === null && (
					<Checkbox {...form.check('isExposed')}>
						{t.exposeRoute}
						<span className={styles.dim}>{t.ifOffDefault}</span>
					</Checkbox>
				)}
				<div className={styles.folded}>
					<CallersPart {...form} />
					<LimitsPart {...form} />
					<TimesPart {...form} />
					<OptionsPart {...form} />
					<HealthPart {...form} />
				</div>
				{failure !== null && <Banner tone="bad">{failure}</Banner>}
				<ConfirmField guard={guard} />
				<button type="submit" hidden aria-hidden tabIndex={-1} />
			</form>
		</Dialog>
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

type InstanceForm = ReturnType<typeof useInstanceForm>

/** A new or edited instance; a failed save loses nothing typed. */
function useInstanceForm(stored: Instance | null, begun: Draft, onSaved: (instance: Instance) => void) {
	const guard = useGuard()
	const [draft, setDraft] = useState<Draft>(() => (stored === null ? begun : draftOf(stored)))
	const [typedProblem, setProblem] = useState<Problem | null>(null)
	const save = () => {
		const reading = readDraft(draft, stored)
		setProblem(reading.kind === 'problem' ? reading.problem : null)
		if (reading.kind === 'problem') return
		const {definition, secrets} = reading
		guard.run(
			(instances, confirmation) =>
				instances.save({
					...(stored !== null && {id: stored.id, revision: stored.revision}),
					definition,
					secrets,
					// A stored one keeps its exposure, which has its own control.
					...(stored === null && draft.isExposed && {exposed: true}),
					...confirmation
				}),
			onSaved
		)
	}
	const refusal = guard.error ?? guard.failed
	const field = pathOf(refusal?.details.field)
	const told = refusal === null || field === undefined ? null : {field, message: refusal.message}
	const problem = typedProblem ?? (told !== null && hasPlace(told.field) ? told : null)
	const set = (change: Partial<Draft>) => {
		setDraft(old => ({...old, ...change}))
		setProblem(null)
		guard.clear()
	}
	/** A failure of no particular field. */
	const failure = guard.error !== null && problem === null ? guard.error.message : null
	return {...formFor(draft, set, place => messageAt(problem, place)), problem, failure, guard, save}
}

/** The problem of a field or within it; `null` without one. */
function messageAt(problem: Problem | null, field: string) {
	return problem !== null && `${problem.field}.`.startsWith(`${field}.`) ? problem.message : null
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
	'healthCheck'
])

function hasPlace(field: string) {
	return places.has(field.split('.')[0] ?? '')
}

interface PortProps extends PartProps {
	stored: Instance | null
}

interface BasicsPartProps extends PortProps {
	server: ForwarderStatus | undefined
}

/** The name, which is the address, and the port. */
function BasicsPart({server, ...props}: BasicsPartProps) {
	const {draft, set, field, stored} = props
	return (
		<>
			<div className={styles.field}>
				<TextField label={t.name} {...field('name')} isRequired autoFocus maxLength={200} autoComplete="off" placeholder={t.edl} />
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
						...(kind === 'webhook' && draft.access === 'none' && {access: 'hmac'})
					})
				}
				options={[
					{value: 'external', label: 'Someone else', detail: 'a service on this computer'},
					{value: 'managed', label: 'Cordon', detail: 'starts a command, keeps it running'},
					{value: 'list', label: 'Built in: list service', detail: 'publishes a list for firewalls'},
					{value: 'indicators', label: 'Built in: indicator export', detail: 'TAXII 2.1 for threat intelligence'},
					{value: 'webhook', label: 'Built in: webhook', detail: 'takes signed requests, such as chat commands'}
				]}
			/>
			<Port {...props} />
		</>
	)
}

/** Ports are arbitrary for instances run by Cordon, and given for external ones. */
function usualPort(kind: Draft['kind'], typed: string) {
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
	if (stored !== null && stored.name !== name) return `Addresses with the old name ${stored.name} go on working until another instance takes it.`
	return 'The name is case-sensitive.'
}

function Port(props: PortProps) {
	const external = props.draft.kind === 'external'
	return (
		<div className={styles.port}>
			<RadioGroup
				label={t.listenPort}
				orientation="horizontal"
				{...props.field('port')}
				options={[
					{value: 'automatic', label: 'Automatic', detail: 'a free loopback port, kept from then on'},
					{value: 'given', label: 'Given', detail: external ? 'where the service listens' : 'a port of your choice'}
				]}
			/>
			<PortNumber {...props} />
		</div>
	)
}

type Found = {port: string; text: string; isGood: boolean}

function PortNumber({draft, field, errorAt, stored}: PortProps) {
	const {client} = useApi()
	const isDisabled = draft.port === 'automatic'
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
				{...field('listenPort')}
				isDisabled={isDisabled}
				error={isDisabled ? null : errorAt('listenPort')}
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
