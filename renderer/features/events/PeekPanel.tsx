import {useRouter} from '@tanstack/react-router'
import {type ReactNode, useMemo, useState} from 'react'

import type {EventDetail, EventRow} from '#contract/events.ts'
import {parseExact} from '#model/exact-json.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {HashLinks} from '#commands/HashLinks.tsx'
import {StartPlaybook} from '#commands/StartPlaybook.tsx'
import {Button} from '#ui/Button.tsx'
import {CodeView, type Fact, KeyValue, fact, copiedFact} from '#ui/Facts.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {EmptyState, Loaded} from '#ui/States.tsx'
import {OddRecord} from '#ui/OddRecord.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {Outcome, Severity} from '#ui/EventMarks.tsx'
import {type Field, fieldsOf} from './fields.ts'
import styles from './PeekPanel.module.css'
import {pivotsOf, termOf} from './pivots.ts'
import {t} from './text.ts'

interface PeekPanelProps {
	eventKey: string
	onClose: () => void
	onOpen: (row: EventRow) => void
	onStory: (row: EventRow) => void
	onPeek: (key: string) => void
	onAsk: (term: string) => void
}

export function PeekPanel(props: PeekPanelProps) {
	const detail = useAskedHere(q => q.events.detail, {key: props.eventKey})
	return (
		<SidePanel label={t.atTheCursor} onClose={props.onClose}>
			<Loaded of={detail} lines={10} empty={<EmptyState title={t.notInLocalData}>{t.localDataKeeps}</EmptyState>}>
				{data => <Peek detail={data} {...props} />}
			</Loaded>
		</SidePanel>
	)
}

function Peek({detail, onOpen, onStory, onPeek, onAsk}: PeekPanelProps & {detail: EventDetail}) {
	const {row, chain, group, typeDescription} = detail
	const title = row.detection ?? row.about ?? row.type
	return (
		<>
			<SidePanelHeader title={title} name={title}>
				<SidePanelNote>
					{(row.detection ?? row.about) !== null && `${row.type} · `}
					<Time at={row.at} form="exact" /> · <Time at={row.at} focusable />
				</SidePanelNote>
				<p className={styles.marks}>
					<Severity row={row} /> <Outcome row={row} />
				</p>
				{typeDescription !== null && <SidePanelNote>{typeDescription}</SidePanelNote>}
			</SidePanelHeader>
			<SidePanelActions label={t.searchFurther}>
				{row.guid !== null && (
					<>
						<Button tone="primary" onPress={() => onOpen(row)} keys="Enter">
							{t.openComputer}
						</Button>
						<Button onPress={() => onStory(row)} keys="t">
							{t.attackStory}
						</Button>
					</>
				)}
				<StartPlaybook computers={row.guid === null ? [] : [row.guid]} sha256={row.sha256} />
				{pivotsOf(row).map(({title, term}) => (
					<Button key={title} onPress={() => onAsk(term)} tooltip={t.addsFilter(term)}>
						{title}
					</Button>
				))}
				{row.sha256 !== null && <Hunt sha256={row.sha256} />}
				{row.sha256 !== null && <HashLinks sha256={row.sha256} />}
			</SidePanelActions>
			{group !== null && <Chain title={t.detectionGroup(group.title)} chain={group.events} current={row.key} onPeek={onPeek} />}
			{chain.length >= 2 && <Chain title={t.sameDetection} chain={chain} current={row.key} onPeek={onPeek} />}
			<Card title={t.about}>
				<KeyValue facts={factsOf(row)} />
			</Card>
			<Raw json={detail.json} onAsk={onAsk} />
		</>
	)
}

/** Link to the search, which queries the service for computers that saw the file, and those without an event of it. */
function Hunt({sha256}: {sha256: string}) {
	const {history} = useRouter()
	return (
		<Button onPress={() => history.push(`/search?q=${sha256}`)} keys="Shift+S">
			{t.matchesWithout}
		</Button>
	)
}

interface RawProps extends Pick<PeekPanelProps, 'onAsk'> {
	json: string
}

/** All fields, and the record as received. Any hash, address or GUID can be added to the filter. */
function Raw({json, onAsk}: RawProps) {
	const [open, setOpen] = useState({fields: false, json: true})
	const record = useMemo(() => parseExact(json), [json])
	const fields = useMemo(() => fieldsOf(record), [record])
	return (
		<>
			<OddRecord record={record} />
			<Disclosure title={t.allFields} summary={`${fields.length}`} isOpen={open.fields} onToggle={isOpen => setOpen({...open, fields: isOpen})}>
				<KeyValue facts={fields.map(field => fact(field.path, valueOf(field, onAsk), 'mono'))} />
			</Disclosure>
			<Disclosure title={t.record} summary={t.json} isOpen={open.json} onToggle={isOpen => setOpen({...open, json: isOpen})}>
				<CodeView value={record} label={t.eventAsJson} />
			</Disclosure>
		</>
	)
}

function valueOf(field: Field, onAsk: RawProps['onAsk']): ReactNode {
	const term = termOf(field)
	if (term === null) return field.text
	return (
		<>
			{field.text}{' '}
			<Button small aria-label={t.eventsSame(field.path)} tooltip={t.addsFilter(term)} onPress={() => onAsk(term)}>
				{t.same}
			</Button>
		</>
	)
}

function factsOf(row: EventRow) {
	const copied = (name: string, value: string | null): Fact => (value === null || value === '' ? null : copiedFact(name, value, name))
	return [
		row.about !== null && fact('Details', row.about),
		copied('Computer', row.hostname),
		copied('User', row.user),
		copied('File', row.fileName),
		copied('Path', row.filePath),
		copied('SHA-256', row.sha256),
		row.disposition !== null && fact('Disposition', row.disposition),
		copied('Remote', row.remote),
		copied('URL', row.url),
		copied('Id', row.id),
		copied('Detection id', row.detectionId),
		copied('GUID', row.guid)
	]
}

interface ChainProps {
	title: string
	/** Oldest first. */
	chain: readonly EventRow[]
	current: string
	onPeek: (key: string) => void
}

function Chain({title, chain, current, onPeek}: ChainProps) {
	return (
		<Card title={title} aside={t.eventsOldestFirst(chain.length)}>
			<ol className="unlisted">
				{chain.map(event => (
					<li key={event.key}>
						<button
							type="button"
							className={styles.step}
							{...(event.key === current && {'aria-current': 'step' as const})}
							onClick={() => onPeek(event.key)}
						>
							<Time at={event.at} form="exact" />
							<span className={styles.stepType}>{event.type}</span>
							{event.hostname}
						</button>
					</li>
				))}
			</ol>
		</Card>
	)
}
