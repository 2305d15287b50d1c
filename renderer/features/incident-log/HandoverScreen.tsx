import {useIsMutating, useMutation, useMutationState} from '@tanstack/react-query'
import {useNavigate, useSearch} from '@tanstack/react-router'
import {useRef} from 'react'

import {type Handover, type HandoverLine, handoverParts, handoverWords, openCount} from '#model/handover.ts'
import {formatCount} from '#text/numbers.ts'
import {useApi, useConnected, useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useNextSteps} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {Banner, Loaded} from '#ui/States.tsx'
import {TextArea} from '#ui/Field.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {saveText} from '#ui/save.ts'
import {Select} from '#ui/Select.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './HandoverScreen.module.css'
import {shifts} from './search.ts'
import {t} from './text.ts'

const usualShift = 12
const everything = 'all'

/** The shift handover: open work, evidence and next steps. */
export function HandoverScreen() {
	const {connection} = useConnected()
	const search = useSearch({from: '/log/handover'})
	const navigate = useNavigate({from: '/log/handover'})
	const steps = useRef<HTMLElement>(null)
	const question = {connection, incident: search.incident ?? null, hours: search.hours ?? usualShift}
	const next = useNextSteps(connection, question.incident)
	const general = useNextSteps(connection, null)
	const isWritten = useIsMutating({mutationKey: stepsKey(connection, null)}) > 0
	const isElsewhere = question.incident !== null && next.text === '' && general.text !== '' && !isWritten
	const asked = useAsked(q => q.log.handover, {input: question, placeholderData: old => old})
	useKeys({
		'handover.steps': () => steps.current?.querySelector('textarea')?.focus(),
		'handover.back': () => void navigate({to: '/log', search: {}})
	})
	return (
		<Screen>
			<ScreenBar title={t.shiftHandover} facts={asked.data && <Facts handover={asked.data} />}>
				<Choice search={search} onChange={change => void navigate({search: old => ({...old, ...change})})} />
				<Acts question={question} next={next.text} onDone={next.leave} />
			</ScreenBar>
			<div className="scroll">
				<section ref={steps} className={styles.steps} aria-label={t.nextSteps}>
					<TextArea label={t.nextSteps} value={next.text} onChange={next.set} rows={5} maxLength={10_000} description={t.copyFileContain} />
					{isElsewhere && (
						<Banner
							act={[
								t.moveSteps,
								() => {
									next.set(general.text)
									general.set('')
								}
							]}
						>
							{t.stepsOfAll}
						</Banner>
					)}
				</section>
				<Loaded of={asked} title={t.couldNotCreate} lines={8} label={t.creatingShift}>
					{handover => <HandoverParts handover={handover} />}
				</Loaded>
			</div>
		</Screen>
	)
}

function Facts({handover}: {handover: Handover}) {
	const open = openCount(handover)
	return (
		<span>
			{open === 0 ? t.noOpenEntries : t.openTitle(formatCount(open))} · <Time at={handover.at} form="exact" />
		</span>
	)
}

interface ChoiceProps {
	search: {incident?: string | undefined; hours?: (typeof shifts)[number] | undefined}
	onChange: (change: ChoiceProps['search']) => void
}

/** Whose evidence and notes, and of which period. */
function Choice({search, onChange}: ChoiceProps) {
	const {data: incidents = []} = useAsked(q => q.log.incidents)
	return (
		<>
			<Select
				label={t.incident}
				hideLabel
				value={incidents.some(({id}) => id === search.incident) ? (search.incident ?? everything) : everything}
				onChange={id => onChange({incident: id === everything ? undefined : id})}
				options={[
					{value: everything, label: 'All incidents'},
					...incidents.map(({id, title, reference}) => ({value: id, label: title, detail: reference}))
				]}
			/>
			<Select
				label={t.shift}
				hideLabel
				value={String(search.hours ?? usualShift)}
				onChange={text => onChange({hours: shifts.find(hours => String(hours) === text)})}
				options={shifts.map(hours => ({value: String(hours), label: `Last ${hours} hours`}))}
			/>
		</>
	)
}

function stepsKey(connection: string, incident: string | null) {
	return ['next steps', connection, incident]
}

interface ActsProps {
	question: {connection: string; incident: string | null; hours: number}
	next: string
	onDone: (written: string) => void
}

/** Export as text, as a page to print, and of the next steps as a log entry. */
function Acts({question, next, onDone}: ActsProps) {
	const {client} = useApi()
	const announce = useAnnounce()
	const saveButton = useRef<HTMLButtonElement>(null)
	const texts = () => client.log.handoverText({...question, next})
	const copying = useMutation({
		mutationFn: async () => navigator.clipboard.writeText((await texts()).markdown),
		onSuccess: () => announce('Shift handover copied as Markdown')
	})
	const saving = useMutation({mutationFn: texts, onSuccess: ({name, html}) => saveText({name: `${name}.html`, text: html})})
	const mutationKey = stepsKey(question.connection, question.incident)
	const writing = useMutation({
		// Also of a screen that was left meanwhile.
		mutationKey,
		// Whole in the function: by its end, another incident may be shown.
		mutationFn: async () => {
			await client.log.handOver({...question, next})
			announce('The next steps are in the incident log')
			onDone(next)
		}
	})
	const last = useMutationState({filters: {mutationKey}, select: ({state}) => state}).at(-1)
	useKeys({'handover.copy': () => copying.mutate(), 'handover.save': () => saveButton.current?.focus()})
	return (
		<>
			<Button onPress={() => copying.mutate()}>{t.copyAsMarkdown}</Button>
			<Button onPress={() => saving.mutate()} ref={saveButton} tooltip={t.pageWithout}>
				{t.savePage}
			</Button>
			<Button onPress={() => window.print()}>{t.print}</Button>
			<Button
				tone="primary"
				onPress={() => writing.mutate()}
				reason={next.trim() === '' ? t.writeNextSteps : last?.status === 'pending' ? t.saving : null}
			>
				{t.writeLog}
			</Button>
			<Failure error={copying.error} />
			<Failure error={saving.error} />
			<Failure error={last?.error ?? null} />
		</>
	)
}

/** All parts, including empty ones: that nothing is pending is useful too. */
function HandoverParts({handover}: {handover: Handover}) {
	return handoverParts.map(part => {
		const [title, none] = handoverWords[part]
		const lines = handover.parts[part]
		const all = handover.cut[part]
		return (
			<section key={part} className={styles.part} aria-label={title}>
				<h2 className={styles.title}>
					{title}
					<span className={styles.count}>{lines.length === 0 ? '' : formatCount(all ?? lines.length)}</span>
				</h2>
				{lines.length === 0 ? (
					<p className="dim">{none}</p>
				) : (
					<ul className="unlisted">
						{lines.map(line => (
							<Line key={`${line.open ?? ''} ${line.at ?? ''} ${line.text}`} line={line} isEnd={part === 'leases'} />
						))}
					</ul>
				)}
				{all !== undefined && (
					<p className="dim">
						{t.theseFirst(part === 'notes' ? 'last' : 'first', formatCount(all))} <Link href="/log">{t.theLog}</Link> {t.hasAll}
					</p>
				)}
			</section>
		)
	})
}

function Line({line, isEnd}: {line: HandoverLine; isEnd: boolean}) {
	const {at, text, open} = line
	return (
		<li className={styles.line}>
			<span className={styles.at}>
				{at !== null && (
					<>
						{isEnd ? t.until : null}
						<Time at={at} form="exact" />
					</>
				)}
			</span>
			<span>{text}</span>
			{open !== null && (
				<Link href={open} className={styles.open} aria-label={t.openOf(text)}>
					{t.openInline}
				</Link>
			)}
		</li>
	)
}
