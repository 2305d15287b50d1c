import {type ComponentType, useState} from 'react'

import {
	type AccessToken,
	type ApiOperation,
	type DoorState,
	type DoorTest,
	type MadeToken,
	scopeWords,
	type TokenKind,
	type TokenScope
} from '#model/door.ts'
import {formatCount} from '#text/numbers.ts'
import {useConnected, useSettings, useAsked, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {Banner, Loaded, Unloaded} from '#ui/States.tsx'
import {Button, CopyButton} from '#ui/Button.tsx'
import {CodeView, PlainTable, tableRow} from '#ui/Facts.tsx'
import {TextField, Checkbox} from '#ui/Field.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Select} from '#ui/Select.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './automation.module.css'
import {Streams} from './Streams.tsx'
import {Targets} from './Targets.tsx'
import {t} from './text.ts'

const everyMs = 5000
const tones: Readonly<Record<AccessToken['state'], Tone>> = {live: 'ok', expired: 'warn', revoked: 'plain'}

function Tokens() {
	return <Doors kind="program" />
}

function Assistants() {
	return <Doors kind="assistant" />
}

const words = {
	program: {all: t.tokens, none: t.noTokens, make: t.createTokenMore, end: t.revoke, endMore: t.revokeMore, endNamed: t.revokeToken},
	assistant: {
		...{all: t.assistants, none: t.noAssistants, make: t.enableAssistantMore},
		...{end: t.disable, endMore: t.disableMore, endNamed: t.disableNamed}
	}
} as const

function Doors({kind}: {kind: TokenKind}) {
	const [isMaking, setMaking] = useState(false)
	const [made, setMade] = useState<MadeToken | null>(null)
	const list = useAsked(q => q.doors.tokens, {refetchInterval: everyMs})
	const [ended, setEnded] = useState<AccessToken | null>(null)
	const test = useCall((client, token: string) => client.doors.test({token}))
	return (
		<>
			{made !== null && <NewToken made={made} />}
			<Failure error={test.error} />
			<Tested result={test.data} />
			<Loaded of={list} label={words[kind].all}>
				{all => <Table kind={kind} all={all.filter(one => one.kind === kind)} onEnd={setEnded} onTest={test.mutate} />}
			</Loaded>
			<div className="fields">
				<Button onPress={() => setMaking(true)} opens>
					{words[kind].make}
				</Button>
			</div>
			{isMaking && (
				<TokenDialog
					kind={kind}
					onClose={() => setMaking(false)}
					onMade={one => {
						setMade(one)
						setMaking(false)
						void list.refetch()
					}}
				/>
			)}
			{ended !== null && (
				<RemoveDialog
					title={t.sure(words[kind].endNamed(ended.name))}
					act={words[kind].end}
					means={t.endMeans}
					call={client => client.doors.revoke({id: ended.id})}
					onDone={() => {
						// What was told of it holds no longer.
						if (made?.id === ended.id) setMade(null)
						test.reset()
						void list.refetch()
					}}
					onClose={() => setEnded(null)}
				/>
			)}
		</>
	)
}

function NewToken({made: {name, token, kind}}: {made: MadeToken}) {
	return (
		<Banner tone="warning">
			{kind === 'assistant' && t.startedAs(name)}
			{t.shownOnce(name)}
			<span className={styles.token}>
				{token} <CopyButton text={token} what={t.token} />
			</span>
		</Banner>
	)
}

interface TableProps {
	kind: TokenKind
	all: readonly AccessToken[]
	onEnd: (token: AccessToken) => void
	onTest: (id: string) => void
}

function Table({kind, all, onEnd, onTest}: TableProps) {
	const {data: connections = []} = useAsked(q => q.connections.list)
	if (all.length === 0) return <p className="quiet">{words[kind].none}</p>
	const named = (ids: readonly string[]) => ids.map(id => connections.find(one => one.id === id)?.name ?? id).join(', ')
	return (
		<PlainTable columns={[t.name, t.scope, t.connections, t.state, t.expires, t.lastUse, t.requests, t.refused, '']}>
			{all.map(one =>
				tableRow(
					one.id,
					one.name,
					scopeWords(one),
					named(one.connections),
					<Tag tone={tones[one.state]}>{one.state}</Tag>,
					<Time at={one.endsAt} form="exact" />,
					<>
						<Time at={one.usedAt} unknown={t.never} /> {kind === 'assistant' && one.client}
					</>,
					formatCount(one.requests),
					formatCount(one.refused),
					<span className="fields">
						<Button small onPress={() => onTest(one.id)} aria-label={t.testNamed(one.name)}>
							{t.test}
						</Button>
						{one.state === 'live' && (
							<Button small onPress={() => onEnd(one)} aria-label={words[kind].endNamed(one.name)} opens>
								{words[kind].endMore}
							</Button>
						)}
					</span>
				)
			)}
		</PlainTable>
	)
}

function TokenDialog({kind, onMade, onClose}: {kind: TokenKind; onMade: (made: MadeToken) => void; onClose: () => void}) {
	const {connection: active} = useConnected()
	const {data: connections = []} = useAsked(q => q.connections.list)
	const [name, setName] = useState('')
	const [scope, setScope] = useState<TokenScope>('read')
	const [days, setDays] = useState('90')
	const [chosen, setChosen] = useState<readonly string[]>([active])
	const missing = name.trim() === '' ? t.nameMissing : chosen.length === 0 ? t.connectionMissing : null
	const title = kind === 'assistant' ? t.enableAssistant : t.createToken
	const scopes = [
		{value: 'read', label: t.readOnly},
		{value: 'change', label: kind === 'assistant' ? t.readAndPropose : t.readAndChange}
	] as const
	return (
		<ActDialog
			title={title}
			act={title}
			work={client => client.doors.create({name, kind, scope, connections: [...chosen], days: Number(days)})}
			missing={missing}
			onDone={onMade}
			onClose={onClose}
		>
			<TextField label={t.name} value={name} onChange={setName} maxLength={60} autoFocus />
			<Select label={t.scope} options={scopes} value={scope} onChange={setScope} />
			<TextField label={t.daysUntilEnd} value={days} onChange={setDays} />
			<fieldset>
				<legend>{t.connections}</legend>
				{connections.map(({id, name: label}) => (
					<Checkbox
						key={id}
						isSelected={chosen.includes(id)}
						onChange={on => setChosen(old => (on ? [...old, id] : old.filter(one => one !== id)))}
					>
						{label}
					</Checkbox>
				))}
			</fieldset>
		</ActDialog>
	)
}

/** Fields other than a command's arguments. */
const notArguments = new Set(['connection', 'incident', 'all', 'wait'])

const addressOf = (path: string) => `/api/v1${path}`

/** Every operation of the local API. Reading ones can be tried here: the page calls them as usual, without a token. */
function ApiReference() {
	const reference = useAsked(q => q.doors.reference)
	return (
		<Loaded of={reference} lines={4} label={t.apiReference}>
			{operations => (
				<>
					<PlainTable>{operations.map(({id, method, path, summary}) => tableRow(id, method, addressOf(path), summary))}</PlainTable>
					<Try operations={operations.filter(({scope, id}) => scope === 'read' && id.startsWith('svc_'))} />
				</>
			)}
		</Loaded>
	)
}

function Try({operations}: {operations: readonly ApiOperation[]}) {
	const {connection} = useConnected()
	const {activeIncident: incident} = useSettings()
	const [id, setId] = useState(operations[0]?.id ?? '')
	const [values, setValues] = useState<Readonly<Record<string, string>>>({})
	const chosen = operations.find(one => one.id === id)
	const fields = (chosen?.parameters ?? []).filter(({name}) => !notArguments.has(name))
	const ask = useCall(client => {
		const given = fields.map(({name}) => [name, values[name] ?? ''] as const).filter(([, value]) => value !== '')
		const input = {connection, name: id, args: Object.fromEntries(given), incident, surface: 'screen' as const}
		return client.commands.run({...input, run: crypto.randomUUID()})
	})
	return (
		<>
			<div className="fields">
				<Select
					label={t.operation}
					options={operations.map(({id: value, method, path}) => ({value, label: `${method} ${path}`}))}
					value={id}
					onChange={setId}
				/>
				{fields.map(({name, summary}) => (
					<TextField
						key={`${id} ${name}`}
						label={name}
						description={summary}
						value={values[name] ?? ''}
						onChange={value => setValues(old => ({...old, [name]: value}))}
					/>
				))}
				<Button onPress={() => ask.mutate()}>{t.tryOperation}</Button>
			</div>
			<Failure error={ask.error} />
			{ask.data !== undefined && <CodeView value={ask.data} label={t.answerOfOperation} />}
		</>
	)
}

export function AutomationScreen() {
	return (
		<Screen>
			<ScreenBar title={t.automation} />
			<div className="scroll">
				{sections.map(({title, Part}) => (
					<section key={title} aria-label={title} className="stack">
						<h2>{title}</h2>
						<Part />
					</section>
				))}
			</div>
		</Screen>
	)
}

/** To add a section, add a component and a line here. */
const sections: readonly {title: string; Part: ComponentType}[] = [
	{title: t.eventStream, Part: Streams},
	{title: t.targets, Part: Targets},
	{title: t.localApi, Part: LocalApi},
	{title: t.tokens, Part: Tokens},
	{title: t.assistants, Part: Assistants},
	{title: t.apiReference, Part: ApiReference}
]

function LocalApi() {
	const {connection} = useConnected()
	const state = useAsked(q => q.doors.state)
	const [port, setPort] = useState<string | null>(null)
	const set = useCall((client, on: boolean) => client.doors.set({on, ...(port !== null && {port: Number(port)})}), {
		onSuccess: () => void state.refetch()
	})
	const test = useCall(client => client.doors.test({connection}))
	const {data} = state
	if (data === undefined) return <Unloaded of={state} lines={2} label={t.localApi} />
	const isPort = port === null || /^\d{1,5}$/.test(port)
	return (
		<>
			<div className="fields">
				<Standing state={data} />
				{!data.on && <TextField label={t.port} value={port ?? String(data.port ?? '')} onChange={setPort} error={isPort ? null : t.portNumber} />}
				<Button onPress={() => set.mutate(!data.on)} reason={isPort ? null : t.portNumber}>
					{data.on ? t.switchApiOff : t.switchApiOn}
				</Button>
				<Button onPress={() => test.mutate()} reason={data.address === null ? t.apiIsOff : null}>
					{t.testApi}
				</Button>
			</div>
			<Tested result={test.data} />
			{data.problem !== null && <Banner tone="bad">{data.problem}</Banner>}
			<Failure error={set.error} />
			<Failure error={test.error} />
			<Failure error={state.error} />
		</>
	)
}

function Tested({result}: {result: DoorTest | undefined}) {
	if (result === undefined) return null
	return <Banner tone={result.ok ? 'info' : 'bad'}>{t.testTook(result.message, result.durationMs)}</Banner>
}

function Standing({state: {on, address}}: {state: DoorState}) {
	return (
		<p className={styles.standing}>
			<Tag tone={address === null ? (on ? 'warn' : 'plain') : 'ok'}>{on ? t.on : t.off}</Tag> {address}
		</p>
	)
}
