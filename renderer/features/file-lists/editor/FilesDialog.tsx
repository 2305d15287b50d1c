import {useEffect, useRef, useState} from 'react'

import {messageOf} from '#contract/errors.ts'
import type {HashStep} from '#contract/editor.ts'
import type {ListOperation} from '#model/list-draft.ts'
import {counted, formatBytes, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useApi} from '#api/hooks.tsx'
import {ticketFor} from '#api/chosen-files.ts'
import {Failure} from '#commands/Failure.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {OperationField} from './OperationField.tsx'
import styles from './Editor.module.css'
import type {HashAnswer} from './hashing/messages.ts'
import {type Hashing, startHashing} from './hashing/start-hashing.ts'
import {t} from './text.ts'
import {type DraftChanges, useAct} from './use-draft.ts'

interface FilesDialogProps {
	files: readonly File[]
	/** Dropped files that were omitted. */
	note: string | null
	changes: DraftChanges
	onClose: () => void
}

/** Hashes files on this computer; nothing is sent. Finished ones can be staged before the rest. */
export function FilesDialog({files, note, changes, onClose}: FilesDialogProps) {
	const announce = useAnnounce()
	const {progress, isRunning, speed, cancel} = useHashing(files)
	const [operation, setOperation] = useState<ListOperation>('add')
	const hashed = progress.flatMap(({sha256}, index) => (sha256 === null ? [] : [{sha256, file: files[index]}]))
	const staging = useAct(
		() =>
			changes.stage(operation, {
				name: files.length === 1 ? (files[0]?.name ?? 'file').slice(0, 300) : `${files.length} files`,
				text: hashed.map(({sha256, file}) => `${sha256} ${oneLine(file?.name ?? '')}`).join('\n')
			}),
		({added}) => {
			announce(`${formatCount(added)} staged`)
			onClose()
		}
	)
	const close = () => {
		cancel()
		onClose()
	}
	useEnd(isRunning, () => announce(`${formatCount(hashed.length)} of ${formatCount(files.length)} files hashed`))
	return (
		<Dialog
			title={files.length === 1 ? t.hashAFile : t.hashFiles(formatCount(files.length))}
			onClose={close}
			size="large"
			cancel
			footer={isRunning && <Button onPress={cancel}>{t.stopHashing}</Button>}
			act={[
				t.stageTo(counted(hashed.length, nouns.hash), operation),
				staging.run,
				isRunning ? t.filesBeing : hashed.length === 0 ? t.noFileHashed : null
			]}
		>
			<div className="stack">
				<p className="quiet" role="status">
					{isRunning ? t.hashing(speed === null ? '' : t.aSecond(formatBytes(speed))) : t.hashingHasEnded} {t.filesStayComputer}
				</p>
				{note !== null && <Banner tone="warning">{note}</Banner>}
				<ul className={styles.files} aria-label={t.filesTitle}>
					{files.map((file, index) => (
						<FileLine key={`${file.name} ${file.size} ${file.lastModified}`} file={file} progress={progress[index]} />
					))}
				</ul>
				<OperationField value={operation} onChange={setOperation} />
				<Failure error={staging.error} />
			</div>
		</Dialog>
	)
}

/** The hash comes first in its line; the rest is the note. */
function oneLine(name: string) {
	return name.replaceAll(/\s+/g, ' ').slice(0, 200)
}

function useEnd(isRunning: boolean, tell: () => void) {
	const was = useRef(isRunning)
	useEffect(() => {
		if (was.current && !isRunning) tell()
		was.current = isRunning
	})
}

function FileLine({file, progress}: {file: File; progress: FileProgress | undefined}) {
	const {bytes = 0, sha256 = null, failed = null} = progress ?? {}
	return (
		<li className={styles.file}>
			<span className="wraps">{file.name}</span>
			<span>{formatBytes(file.size)}</span>
			{sha256 !== null && <code className="hashes wraps">{sha256}</code>}
			{failed !== null && <span className="bad">▲ {failed}</span>}
			{sha256 === null && failed === null && <progress aria-label={t.hashingOf(file.name)} value={bytes} max={Math.max(1, file.size)} />}
		</li>
	)
}

interface FileProgress {
	bytes: number
	sha256: string | null
	failed: string | null
}

const begun: FileProgress = {bytes: 0, sha256: null, failed: null}

/** Hashes files while the dialog is open: on the desktop from their paths, otherwise in a worker of the page. */
function useHashing(files: readonly File[]) {
	const {client} = useApi()
	/** By file index. */
	const [progress, setProgress] = useState<readonly FileProgress[]>(() => files.map(() => begun))
	/** Bytes per second since the start; `null` before the first progress. */
	const [speed, setSpeed] = useState<number | null>(null)
	const [isCancelled, setCancelled] = useState(false)
	const hashing = useRef<Hashing | null>(null)
	useEffect(() => {
		const startedAt = performance.now()
		const seen = new Map<number, number>()
		const take = (answer: HashAnswer) => {
			const size = files[answer.index]?.size ?? 0
			seen.set(answer.index, answer.kind === 'progress' ? answer.bytes : size)
			const all = [...seen.values()].reduce((sum, bytes) => sum + bytes, 0)
			const seconds = (performance.now() - startedAt) / 1000
			if (seconds > 0.05) setSpeed(all / seconds)
			setProgress(old => old.map((one, index) => (index === answer.index ? after(one, answer) : one)))
		}
		const byHost = async function* (ticket: string, signal: AbortSignal) {
			yield* await client.editor.hashFile({ticket}, {signal})
		}
		const started = hashFiles(files, {ticketFor, byHost, byWorker: startHashing}, take)
		hashing.current = started
		return () => started.cancel()
	}, [files, client])
	/** Keeps finished hashes. */
	const cancel = () => {
		hashing.current?.cancel()
		setCancelled(true)
		setProgress(old => old.map(one => (isOpen(one) ? {...one, failed: 'It was stopped before its end.'} : one)))
	}
	return {progress, isRunning: !isCancelled && progress.some(isOpen), speed, cancel}
}

function isOpen({sha256, failed}: FileProgress) {
	return sha256 === null && failed === null
}

function after(one: FileProgress, answer: HashAnswer): FileProgress {
	if (answer.kind === 'progress') return {...one, bytes: answer.bytes}
	if (answer.kind === 'hashed') return {...one, sha256: answer.sha256}
	return {...one, failed: answer.message}
}

/** Hashes files in the host if it knows their path, otherwise in the page's worker. */
export interface HashWays {
	/** `null`: the host does not know its path. */
	ticketFor: (file: File) => Promise<string | null>
	byHost: (ticket: string, signal: AbortSignal) => AsyncIterable<HashStep>
	byWorker: (files: readonly File[], onAnswer: (answer: HashAnswer) => void) => Hashing
}

/** Each file ends with `hashed` or `failed`, unless cancelled. */
export function hashFiles(files: readonly File[], ways: HashWays, onAnswer: (answer: HashAnswer) => void): Hashing {
	const stop = new AbortController()
	let worker: Hashing | undefined
	const begin = async () => {
		const tickets = await Promise.all(files.map(file => ways.ticketFor(file)))
		if (stop.signal.aborted) return
		const rest = files.flatMap((file, index) => (tickets[index] === null ? [{file, index}] : []))
		if (rest.length > 0)
			worker = ways.byWorker(
				rest.map(({file}) => file),
				answer => onAnswer({...answer, index: rest[answer.index]?.index ?? answer.index})
			)
		// Sequentially: parallel reads would only compete for the disk.
		for (const [index, ticket] of tickets.entries()) if (typeof ticket === 'string') await hashByHost(index, ticket, ways, stop.signal, onAnswer)
	}
	void begin()
	return {
		cancel: () => {
			stop.abort()
			worker?.cancel()
		}
	}
}

async function hashByHost(index: number, ticket: string, {byHost}: HashWays, signal: AbortSignal, onAnswer: (answer: HashAnswer) => void) {
	if (signal.aborted) return
	try {
		for await (const step of byHost(ticket, signal)) if (!signal.aborted) onAnswer({...step, index})
	} catch (error) {
		const message = messageOf(error)
		if (!signal.aborted) onAnswer({kind: 'failed', index, message})
	}
}
