import {useNavigate, useSearch} from '@tanstack/react-router'
import {useState} from 'react'

import {playbookRunFilters, type PlaybookRun, type PlaybookRunState, type PlaybookSummary} from '#model/playbook.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useAsked, useAskedHere, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, Loaded} from '#ui/States.tsx'
import {Button, Link, FileButton} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Select, optionsOf} from '#ui/Select.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {AutomationPart} from './AutomationPart.tsx'
import styles from './playbooks.module.css'
import type {PlaybooksSearch} from './search.ts'
import {SignatureTag} from './SignatureTag.tsx'
import {filledFrom, StartDialog} from './StartDialog.tsx'
import {t} from './text.ts'
import {shownRuns, useWaitingRuns} from './use-waiting-runs.ts'

const everyMs = 2000

export const runTones: Readonly<Record<PlaybookRunState, Tone>> = {
	running: 'accent',
	paused: 'hold',
	waiting: 'warn',
	interrupted: 'warn',
	completed: 'ok',
	failed: 'bad',
	cancelled: 'plain'
}

export function PlaybooksScreen() {
	const navigate = useNavigate()
	const search = useSearch({from: '/playbooks'})
	const [chosen, setChosen] = useState<PlaybookSummary | null>(null)
	const list = useAsked(q => q.playbooks.list)
	const page = {offset: 0, limit: shownRuns}
	const last = useAsked(q => q.playbooks.runs, {input: {last: true, offset: 0, limit: 500}, refetchInterval: everyMs})
	const runs = useAsked(q => q.playbooks.runs, {
		input: {...omitUndefined({search: search.search, state: search.state}), ...page},
		refetchInterval: everyMs,
		placeholderData: old => old
	})
	const waiting = useWaitingRuns(everyMs)
	const add = useCall((client, text: string) => client.playbooks.import({text}), {onSuccess: () => void list.refetch()})
	const isFiltered = search.search !== undefined || search.state !== undefined
	return (
		<Screen>
			<ScreenBar title={t.playbooks} facts={list.data && <span>{formatCount(list.data.length)}</span>}>
				<Button onPress={() => void navigate({to: '/playbooks/document/$playbook', params: {playbook: 'new'}})}>{t.newPlaybook}</Button>
				<FileButton
					label={t.importPlaybook}
					accept=".json,application/json"
					onFile={async file => {
						add.reset()
						add.mutate(await file.text())
					}}
				>
					{t.importPlaybook}
				</FileButton>
			</ScreenBar>
			<div className="scroll">
				<Failure error={add.error} />
				<ChosenFor {...search} />
				{waiting.length !== 0 && (
					<>
						<h2>{t.needYou}</h2>
						<Runs rows={waiting} />
					</>
				)}
				<Loaded of={list} title={t.couldNotLoadPlaybooks} lines={8} label={t.playbooks}>
					{all => <Playbooks all={all} search={search} runs={last.data?.rows ?? []} onStart={setChosen} />}
				</Loaded>
				<AutomationPart playbooks={list.data ?? []} />
				<SecretsPart />
				<h2>{t.newestFirst}</h2>
				<RunFilters search={search} />
				<Loaded of={runs} label={t.newestFirst}>
					{({rows, matching}) => (
						<>
							{rows.length > 0 ? <Runs rows={rows} /> : <p className="quiet">{isFiltered ? t.nothingMatches : t.noPlaybookRuns}</p>}
							{rows.length < matching && <p className="quiet">{t.newestOf(rows.length, formatCount(matching))}</p>}
						</>
					)}
				</Loaded>
			</div>
			{chosen !== null && (
				<StartDialog
					playbook={chosen}
					given={search}
					onClose={() => setChosen(null)}
					onStarted={({id}) => void navigate({to: '/playbooks/$id', params: {id}})}
				/>
			)}
		</Screen>
	)
}

/** The objects to act on, if the screen was opened from them. */
function ChosenFor({computer, computers, sha256, indicators}: PlaybooksSearch) {
	const {data} = useAskedHere(q => q.computers.detail, {guid: computer ?? ''}, {enabled: computer !== undefined})
	const many = computers && counted(computers.split(',').length, nouns.computer)
	const what = data?.row.hostname ?? computer ?? many ?? sha256 ?? indicators?.slice(0, 80)
	return what && <Banner action={<Link href="/playbooks">{t.showAll}</Link>}>{t.startFor(what)}</Banner>
}

function RunFilters({search: {search, state}}: {search: PlaybooksSearch}) {
	const {change: set} = useAddress('/playbooks')
	const states = [{value: '', label: t.allStates}, ...optionsOf(playbookRunFilters)]
	return (
		<div className="fields">
			<AddressField label={t.searchRuns} value={search} onChange={text => set({search: text})} />
			<Select
				label={t.runState}
				value={state ?? ''}
				options={states}
				onChange={value => set({state: playbookRunFilters.find(one => one === value)})}
			/>
		</div>
	)
}

function Playbooks({
	all: known,
	search,
	runs,
	onStart
}: {
	runs: readonly PlaybookRun[]
	all: readonly PlaybookSummary[]
	search: PlaybooksSearch
	onStart: (one: PlaybookSummary) => void
}) {
	const {computer, computers, sha256, indicators} = search
	const isFilled = (computer ?? computers ?? sha256 ?? indicators) !== undefined
	const all = known.filter(one => isFound(one, search) && (!isFilled || Object.keys(filledFrom(one.inputs, search)).length > 0))
	return (
		<>
			<PlaybookFilters all={known} search={search} />
			{all.length === 0 && <p className="quiet">{t.noPlaybookMatches}</p>}
			<PlainTable>
				{all.map(one =>
					tableRow(
						`${one.origin} ${one.id}`,
						<Link href={`/playbooks/document/${one.id}`}>{one.name}</Link>,
						<Button small onPress={() => onStart(one)} opens aria-label={t.startPlaybook(one.name)}>
							{t.startMore}
						</Button>,
						one.description,
						<span className="fields">
							{one.origin !== 'library' && <Tag>{one.origin}</Tag>}
							<SignatureTag signature={one.signature} />
							{one.tags.map(tag => (
								<Tag key={tag}>{tag}</Tag>
							))}
						</span>,
						<LastRun run={runs.find(({playbook}) => playbook === one.id)} />
					)
				)}
			</PlainTable>
		</>
	)
}

function isFound({name, description, tags}: PlaybookSummary, {find = '', tag}: PlaybooksSearch) {
	const words = `${name} ${description} ${tags.join(' ')}`.toLowerCase()
	return words.includes(find.trim().toLowerCase()) && (tag === undefined || tags.includes(tag))
}

function PlaybookFilters({all, search: {find, tag}}: {all: readonly PlaybookSummary[]; search: PlaybooksSearch}) {
	const {change: set} = useAddress('/playbooks')
	const tags = [...new Set(all.flatMap(one => one.tags))].toSorted()
	return (
		<div className="fields">
			<AddressField label={t.findPlaybooks} value={find} onChange={text => set({find: text})} />
			{tags.length !== 0 && (
				<Select
					label={t.tag}
					value={tag ?? ''}
					options={[{value: '', label: t.allStates}, ...optionsOf(tags)]}
					onChange={value => set({tag: value === '' ? undefined : value})}
				/>
			)}
		</div>
	)
}

function LastRun({run}: {run: PlaybookRun | undefined}) {
	if (run === undefined) return null
	return (
		<Link href={`/playbooks/${run.id}`}>
			{run.state} <Time at={run.startedAt} />
		</Link>
	)
}

function Runs({rows}: {rows: readonly PlaybookRun[]}) {
	return (
		<PlainTable>
			{rows.map(({id, title, connection, state, startedAt, startedBy, because}) => (
				<tr key={id}>
					<th scope="row">
						<Link href={`/playbooks/${id}`}>{title}</Link>
					</th>
					<td>
						<TenantMark tenant={{id: connection}} />
					</td>
					<td>
						<Tag tone={runTones[state]}>{state}</Tag>
					</td>
					<td>
						<Time at={startedAt} />
					</td>
					<td>{startedBy}</td>
					<td className={styles.result} title={because ?? ''}>
						{because}
					</td>
				</tr>
			))}
		</PlainTable>
	)
}

/** Secrets that headers of playbooks name. Their values are never shown. */
function SecretsPart() {
	const [isOpen, setOpen] = useState(false)
	const known = useAsked(q => q.automation.secrets)
	const {refetch} = known
	const [removed, setRemoved] = useState<string | null>(null)
	return (
		<section className="stack" aria-label={t.secrets}>
			<div className="cluster">
				<h2>{t.secrets}</h2>
				<Button small onPress={() => setOpen(true)} opens>
					{t.newSecret}
				</Button>
			</div>
			<Loaded of={known} label={t.secrets} empty={<p className="quiet">{t.noSecrets}</p>}>
				{all => (
					<PlainTable>
						{all.map(({name, origin}) =>
							tableRow(
								name,
								name,
								origin,
								<Button small onPress={() => setRemoved(name)} aria-label={t.deleteSecret(name)} opens>
									{t.deleteMore}
								</Button>
							)
						)}
					</PlainTable>
				)}
			</Loaded>
			{isOpen && (
				<SecretDialog
					onClose={() => {
						setOpen(false)
						void refetch()
					}}
				/>
			)}
			{removed !== null && (
				<RemoveDialog
					title={t.sure(t.deleteSecret(removed))}
					act={t.delete}
					means={t.deleteSecretMeans}
					call={client => client.automation.removeSecret({name: removed})}
					onDone={() => void refetch()}
					onClose={() => setRemoved(null)}
				/>
			)}
		</section>
	)
}

function SecretDialog({onClose}: {onClose: () => void}) {
	const [draft, setDraft] = useState({name: '', origin: '', value: ''})
	const missing = (['name', 'origin', 'value'] as const).find(name => draft[name].trim() === '')
	const labels = {name: t.secretName, origin: t.secretOrigin, value: t.secretValue}
	return (
		<ActDialog
			title={t.newSecretTitle}
			act={t.storeSecret}
			work={client => client.automation.setSecret(draft)}
			missing={missing && t.missing(labels[missing])}
			tells={field => field !== undefined}
			onClose={onClose}
		>
			{({error}) => {
				const field = (name: keyof typeof draft) => ({
					label: labels[name],
					value: draft[name],
					onChange: (text: string) => setDraft({...draft, [name]: text}),
					error: error?.details.field === name ? error.message : null
				})
				return (
					<>
						<TextField {...field('name')} autoFocus maxLength={100} />
						<TextField {...field('origin')} placeholder={t.secretOriginExample} />
						<TextField {...field('value')} type="password" autoComplete="off" />
						<p className="quiet">{t.secretNote}</p>
					</>
				)
			}}
		</ActDialog>
	)
}
