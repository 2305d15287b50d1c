import {useNavigate, useRouter, useSearch} from '@tanstack/react-router'
import {useEffect, useState} from 'react'

import {type Connection, directWay, leadsElsewhere} from '#model/connection.ts'
import {handoverWords, openCount, openParts} from '#model/handover.ts'
import {useActiveConnectionOrNull, useConnections, useFrame, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {useChooseConnection} from '#commands/use-choose-connection.ts'
import {Banner, EmptyState, SkeletonLines} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {connectionTitle, modeWords} from '#ui/connection-words.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {useIsShown} from '#ui/use-is-shown.ts'
import styles from './connections.module.css'
import {DraftFields} from './DraftFields.tsx'
import {GuardsDialog} from './guards/GuardsDialog.tsx'
import {ImportDialog} from './ImportDialog.tsx'
import type {ConnectionsSearch} from './search.ts'
import {TestResults} from './TestResults.tsx'
import {t} from './text.ts'
import {useConnectionForm} from './use-connection-form.ts'
import {useConnectionTest, useDraftTest} from './use-test.ts'

export function ConnectionsScreen() {
	const connections = useConnections()
	const active = useActiveConnectionOrNull()
	const search = useSearch({from: '/connections'})
	const navigate = useNavigate({from: '/connections'})
	const use = useChooseConnection()
	const [starters] = useState(() => new Map<string, () => void>())
	const [removing, setRemoving] = useState<Connection | null>(null)
	const {history} = useRouter()
	const show = (next: ConnectionsSearch) => void navigate({search: next, replace: true})
	/** To the screen that asked for the key, once the dialog is gone: its text would hold the page here. */
	const saved = async () => {
		await navigate({search: {}, replace: true})
		if (search.replaceKey === true && history.canGoBack()) history.back()
	}
	useKey('connections.add', () => show({add: true}))
	useKey('connections.test', () => starters.get(focusedConnection() ?? active?.id ?? '')?.())
	const guarded = connections?.find(({id}) => id === search.guards) ?? null
	const edited = connections?.find(connection => connection.id === search.edit && !connection.sandbox) ?? null
	return (
		<Screen>
			<ScreenBar title={t.connections} facts={connections && <span>{t.inThisProfile(connections.length)}</span>}>
				<Button onPress={() => show({import: true})} opens>
					{t.import}
				</Button>
				<Button tone="primary" onPress={() => show({add: true})} opens>
					{t.connectYourServiceMore}
				</Button>
			</ScreenBar>
			<div className={styles.scroll}>
				{connections === undefined ? (
					<SkeletonLines lines={6} label={t.loadingTheConnections} />
				) : connections.length === 0 ? (
					<EmptyState title={t.noConnectionYet} act={[t.connectYourServiceMore, () => show({add: true})]}>
						{t.connectionAddress}
					</EmptyState>
				) : (
					<ul className={styles.cards} aria-label={t.connections}>
						{connections.map(connection => (
							<ConnectionCard
								key={connection.id}
								connection={connection}
								isActive={connection.id === active?.id}
								starters={starters}
								onUse={() => use(connection.id)}
								onEdit={() => show({edit: connection.id})}
								onGuards={() => show({guards: connection.id})}
								onRemove={() => setRemoving(connection)}
							/>
						))}
					</ul>
				)}
			</div>
			{search.add === true && (
				<EditDialog
					stored={null}
					focus="name"
					onClose={() => show({})}
					onSaved={saved => {
						use(saved.id)
						void navigate({to: '/computers', search: {}})
					}}
				/>
			)}
			{search.import === true && <ImportDialog onClose={() => show({})} />}
			{edited !== null && (
				<EditDialog
					key={edited.id}
					stored={edited}
					focus={search.replaceKey === true ? 'apiKey' : 'name'}
					onClose={() => show({})}
					onSaved={() => void saved()}
				/>
			)}
			{guarded !== null && <GuardsDialog key={guarded.id} connection={guarded} onClose={() => show({})} />}
			{removing !== null && <RemoveConnection connection={removing} onClose={() => setRemoving(null)} />}
		</Screen>
	)
}

/** The incident log stays. */
function RemoveConnection({connection: {id, name}, onClose}: {connection: Connection; onClose: () => void}) {
	const title = t.removeOf(name)
	return (
		<RemoveDialog title={title} act={title} means={t.apiKeyLocal} call={client => client.connections.remove({id})} onClose={onClose}>
			<OpenWork connection={id} />
		</RemoveDialog>
	)
}

/** What Cordon follows on the connection, and would not after its removal. */
function OpenWork({connection}: {connection: string}) {
	const {data} = useAsked(q => q.log.handover, {input: {connection}})
	if (data === undefined || openCount(data) === 0) return null
	const parts = openParts.flatMap(part =>
		data.parts[part].length === 0 ? [] : [`${handoverWords[part][0]}: ${data.cut[part] ?? data.parts[part].length}.`]
	)
	return (
		<Banner tone="warning">
			{parts.join(' ')} {t.nobodyFollows}
		</Banner>
	)
}

/** The connection whose card has the focus. */
function focusedConnection() {
	return document.activeElement?.closest<HTMLElement>('[data-connection-id]')?.dataset['connectionId']
}

interface EditDialogProps {
	/** `null` for a new one. */
	stored: Connection | null
	focus: 'name' | 'apiKey'
	onClose: () => void
	onSaved: (connection: Connection) => void
}

function EditDialog({stored, focus, onClose, onSaved}: EditDialogProps) {
	const form = useConnectionForm(stored)
	const draftTest = useDraftTest(form, stored)
	const {test, tryOut} = draftTest
	const isShown = useIsShown()
	const save = async () => {
		const saved = await form.save()
		// Closed meanwhile, it leads nowhere.
		if (saved !== null && isShown.current) onSaved(saved)
	}
	return (
		<Dialog
			title={stored === null ? t.connectYourService : t.change(stored.name)}
			size="large"
			cancel
			onClose={onClose}
			footer={
				<Button onPress={tryOut} reason={test.isRunning ? t.testRunning : null} tooltip={t.checksAddress}>
					{t.testTitle}
				</Button>
			}
			act={[stored === null ? t.connect : t.save, () => void save(), form.isSaving ? t.saving : null]}
		>
			<div className="stack">
				{stored !== null && leadsElsewhere(stored, {url: form.draft.url.trim(), clientId: form.draft.clientId.trim()}) && (
					<>
						<Banner tone="warning">{t.otherTenant}</Banner>
						<OpenWork connection={stored.id} />
					</>
				)}
				<DraftFields form={form} draftTest={draftTest} stored={stored} focus={focus} />
			</div>
		</Dialog>
	)
}

interface ConnectionCardProps {
	connection: Connection
	isActive: boolean
	/** Start functions of tests by connection id, for the key. */
	starters: Map<string, () => void>
	onUse: () => void
	onEdit: () => void
	onGuards: () => void
	onRemove: () => void
}

/** One connection: address, mode, state, and actions. */
function ConnectionCard({connection, isActive, starters, onUse, onEdit, onGuards, onRemove}: ConnectionCardProps) {
	const frame = useFrame(connection.id)
	const test = useConnectionTest()
	const startTest = () => {
		if (!test.isRunning) test.start({id: connection.id})
	}
	useEffect(() => {
		starters.set(connection.id, startTest)
		return () => void starters.delete(connection.id)
	})
	const starting = useCall(client => client.connections.startSandbox())
	const isStopped = connection.stopped === true
	const own = connection.sandbox ? 'The sandbox of this window cannot be changed.' : null
	return (
		<li
			className={styles.card}
			style={{borderLeftColor: `var(--connection-${connection.colour})`}}
			aria-label={connection.name}
			data-connection-id={connection.id}
		>
			<div className="cluster">
				<h2 className={styles.cardTitle}>{connectionTitle(connection)}</h2>
				{isActive && <Tag tone="accent">{t.inUse}</Tag>}
				{isStopped && <Tag tone="warn">{t.stopped}</Tag>}
				<Tag>{frame === null ? (connection.readOnly ? t.readOnly : t.readWrite) : modeWords(frame.mode).word}</Tag>
				{connection.proxy !== null && <Tag>{connection.proxy === directWay ? t.noProxy : t.ownProxy}</Tag>}
				{connection.ca !== null && <Tag>{t.ownCAs}</Tag>}
				{connection.insecure && <Tag tone="bad">{t.trustsAnyCertificate}</Tag>}
				{frame?.link.kind === 'failing' && <Tag tone="bad">{t.failing}</Tag>}
			</div>
			<p className={styles.where}>{t.client(connection.url, connection.clientId)}</p>
			{frame?.link.kind === 'failing' && <p className="fails">{frame.link.error.message}</p>}
			<div className={styles.cardActions}>
				{!isActive && (
					<Button onPress={onUse} aria-label={t.takeOf(connection.name)}>
						{t.takeIt}
					</Button>
				)}
				<Button onPress={startTest} reason={test.isRunning ? t.testRunning : null} aria-label={t.test(connection.name)} tooltip={t.checksAddress}>
					{t.testTitle}
				</Button>
				<Button onPress={onEdit} lock={own} aria-label={t.change(connection.name)} opens>
					{t.changeMore}
				</Button>
				<Button onPress={onGuards} aria-label={t.guardRulesOf(connection.name)} opens>
					{t.guardRules}
				</Button>
				{isStopped && (
					<Button tone="primary" onPress={() => starting.mutate()} reason={starting.isPending ? t.starting : null}>
						{t.startSandbox}
					</Button>
				)}
				<Button onPress={onRemove} lock={isStopped ? null : own} aria-label={t.removeOf(connection.name)} opens>
					{t.remove}
				</Button>
			</div>
			<Failure error={starting.error} />
			<TestResults test={test} />
		</li>
	)
}
