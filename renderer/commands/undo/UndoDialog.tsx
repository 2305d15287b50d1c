import {useMutation, useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import {findCommand} from '#shared/commands/catalogue.ts'
import {formatLine} from '#shared/commands/parse.ts'
import {asSentence} from '#shared/sentence.ts'
import {useActiveConnection, useWriteRefusal} from '../../api/active.tsx'
import {useApi} from '../../api/ApiProvider.tsx'
import {asCordonError} from '../../api/errors.ts'
import {useSettings} from '../../api/hooks.ts'
import type {Client} from '../../api/wire.ts'
import {useUi} from '../../state/ui.tsx'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Button} from '../../ui/Button.tsx'
import {connectionTitle} from '../../ui/connection-words.ts'
import {Dialog} from '../../ui/Dialog.tsx'
import {KeyValue} from '../../ui/KeyValue.tsx'
import {SkeletonLines} from '../../ui/Skeleton.tsx'
import {Time} from '../../ui/Time.tsx'
import {buttonWords, effectOf} from '../effect.ts'
import {t} from '../text.ts'
import {checkOf, compensationOf, type HashChange, type Standing, standingOf, titleOf, undoCalls} from './hash-change.ts'
import styles from './UndoDialog.module.css'

interface UndoDialogProps {
	readonly change: HashChange
	readonly onClose: () => void
}

/**
 * Undoes a change: loads the present state first, shows the call, and refuses when someone changed it since.
 * The focus is on *Cancel*, so that Enter sends nothing.
 */
export function UndoDialog({change, onClose}: UndoDialogProps) {
	const connection = useActiveConnection()
	const announce = useAnnounce()
	const lock = useWriteRefusal()
	const {client} = useApi()
	const {activeIncident: incident} = useSettings()
	const drop = useUi(ui => ui.dropHashChange)
	// Part of the query's key, so that each opening asks anew.
	const [opened] = useState(() => Date.now())
	const view = useStanding(change, opened)
	const {act} = compensationOf(change)
	// The undo history checks once more and records the undo.
	const {mutate, isPending, error} = useMutation({
		mutationFn: () => client.undo.apply({connection: connection.id, id: change.entry, surface: 'screen', incident}),
		onSuccess: ({message}) => {
			drop(change.entry)
			announce(`Undone. ${message}`)
			onClose()
		},
	})
	const waits = reasonOf(view) ?? (isPending ? 'The request is under way.' : null)
	return (
		<Dialog
			title={t.undoThisChange}
			cancel="first"
			onClose={onClose}
			tone="connection"
			size="large"
			role="alertdialog"
			footer={
				<Button tone="primary" lock={lock} reason={waits} onPress={() => mutate()}>
					{buttonWords(act, connection)}
				</Button>
			}
		>
			<div className={styles.form}>
				<Facts change={change} />
				<StandingNote view={view} />
				{error === null ? null : <Banner tone="bad">{asSentence(asCordonError(error).message)}</Banner>}
			</div>
		</Dialog>
	)
}

function Facts({change}: {readonly change: HashChange}) {
	const connection = useActiveConnection()
	const {name, args, rest} = compensationOf(change)
	const spec = findCommand(name)
	return (
		<>
			<KeyValue
				facts={[
					{name: 'Done', value: titleOf(change)},
					{name: 'When', value: <Time at={change.at} focusable />},
					{name: 'SHA-256', value: change.sha256, mono: true},
					{name: 'Connection', value: connectionTitle(connection)},
					{name: 'Will be sent', value: `!${formatLine(name, args)}`, mono: true},
					{name: 'Cost', value: `${undoCalls} calls: one that read the state just now, one that reads it again, and the change`},
				]}
			/>
			<p className={styles.dim}>
				{spec === undefined ? null : effectOf(spec, change.list.name).sentence} {rest}
			</p>
		</>
	)
}

function StandingNote({view}: {readonly view: StandingView}) {
	const {standing, failed, retry} = view
	if (failed !== null)
		return (
			<Banner
				tone="warning"
				action={
					<Button size="small" onPress={retry}>
						{t.checkAgain}
					</Button>
				}
			>
				{t.couldNotLoadCurrentState} {failed}
			</Banner>
		)
	if (standing === undefined) return <SkeletonLines lines={1} label={t.loadingCurrent} />
	if (standing.kind === 'as_made') return <p className={styles.dim}>{t.justChecked}</p>
	return <Banner tone={standing.kind === 'undone' ? 'info' : 'warning'}>{standing.sentence}</Banner>
}

function reasonOf({standing, failed}: StandingView): string | null {
	if (failed !== null) return 'Could not load the present state.'
	if (standing === undefined) return 'Loading the current state…'
	return standing.kind === 'as_made' ? null : standing.sentence
}

interface StandingView {
	/** `undefined` while loading. */
	readonly standing: Standing | undefined
	readonly failed: string | null
	retry(): void
}

/** Checks whether the change still stands: one call for each `opened`. */
function useStanding(change: HashChange, opened: number): StandingView {
	const {client} = useApi()
	const {activeIncident} = useSettings()
	const {data, error, isFetching, refetch} = useQuery({
		queryKey: ['standing', change.entry, opened],
		queryFn: ({signal}) => readStanding(client, change, activeIncident, signal),
		gcTime: 0,
		staleTime: Infinity,
	})
	return {
		standing: isFetching ? undefined : data,
		failed: error === null || isFetching ? null : asCordonError(error).message,
		retry: () => void refetch(),
	}
}

async function readStanding(client: Client, change: HashChange, incident: string | null, signal: AbortSignal): Promise<Standing> {
	const {name, args} = checkOf(change)
	const input = {connection: change.connection, name, args: {...args}, surface: 'screen' as const, incident}
	try {
		const result = await client.commands.run({...input, run: crypto.randomUUID()}, {signal})
		return standingOf(change, {note: noteOf(result.data)})
	} catch (error) {
		if (asCordonError(error).code === 'not_found') return standingOf(change, null)
		throw error
	}
}

/** An item without a note has no such field. */
function noteOf(item: unknown): string {
	if (typeof item !== 'object' || item === null || !('description' in item)) return ''
	return typeof item.description === 'string' ? item.description : ''
}
