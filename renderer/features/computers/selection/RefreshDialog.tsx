import {useEffect, useRef, useState} from 'react'

import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveFrame, useConnected} from '#api/hooks.tsx'
import type {CordonError} from '#contract/errors.ts'
import {asCordonError} from '#api/errors.ts'
import {LimitWait} from '#commands/LimitWait.tsx'
import {useReadComputers} from '#commands/use-read-computers.ts'
import {Banner, Reason} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {t} from '../text.ts'

interface Progress {
	/** What this try is about; of these, so many were queried. */
	wanted: readonly string[]
	queried: number
	failed: readonly string[]
	error: CordonError | null
	isRunning: boolean
}

/** Reads the selected computers again, one call each, after showing the cost. */
export function RefreshDialog({guids, onClose}: {guids: readonly string[]; onClose: () => void}) {
	const {client, connection} = useConnected()
	const readComputers = useReadComputers()
	const frame = useActiveFrame()
	const [progress, setProgress] = useState<Progress | null>(null)
	const stop = useRef<AbortController | null>(null)
	useEffect(() => () => stop.current?.abort(), [])
	const listCalls = Math.max(1, Math.ceil((frame?.inventory.total ?? frame?.inventory.rows ?? 0) / 500)) + 1
	const left = frame?.quota?.remaining

	const read = async (wanted: readonly string[]) => {
		const abort = new AbortController()
		stop.current = abort
		const failed: string[] = []
		let [queried, error]: [number, CordonError | null] = [0, null]
		const tell = (isRunning: boolean) => setProgress({wanted, queried, failed: [...failed], error, isRunning})
		tell(true)
		for (const guid of wanted) {
			try {
				await client.computers.refreshOne({connection, guid}, {signal: abort.signal})
			} catch (thrown) {
				if (abort.signal.aborted) break
				error = asCordonError(thrown)
				failed.push(guid)
			}
			queried += 1
			// A rejected key will be rejected for all others too.
			if (error?.code === 'unauthorized') break
			tell(true)
		}
		tell(false)
	}
	const rest = progress === null ? guids : [...progress.failed, ...progress.wanted.slice(progress.queried)]
	const readList = () => {
		readComputers.again()
		onClose()
	}
	return (
		<Dialog
			title={t.reload(counted(guids.length, nouns.computer))}
			size="small"
			onClose={onClose}
			footer={
				progress === null ? (
					<>
						<Button onPress={onClose}>{t.cancel}</Button>
						{listCalls < guids.length && <Button onPress={readList}>{t.loadWholeList}</Button>}
						<Button tone="primary" onPress={() => void read(guids)}>
							{t.loadThem} {counted(guids.length, nouns.call)}
						</Button>
					</>
				) : progress.isRunning ? (
					<Button onPress={() => stop.current?.abort()}>{t.stop}</Button>
				) : (
					<>
						{rest.length !== 0 && (
							<Button onPress={() => void read(rest)}>
								{t.loadTheRest} {counted(rest.length, nouns.call)}
							</Button>
						)}
						<Button tone="primary" onPress={onClose}>
							{t.close}
						</Button>
					</>
				)
			}
		>
			<div className="stack">
				<p>
					{t.eachTakesOne(
						left === undefined ? '' : t.ofWhichAre(formatCount(left)),
						listCalls < guids.length ? t.refreshingWhole(formatCount(listCalls)) : ''
					)}
				</p>
				{progress !== null && <Told progress={progress} of={guids.length} rest={rest.length} />}
				{progress?.isRunning === true && <LimitWait />}
			</div>
		</Dialog>
	)
}

function Told({progress: {failed, error, isRunning}, of, rest}: {progress: Progress; of: number; rest: number}) {
	const unqueried = rest - failed.length
	const words = [
		t.loadedOf(formatCount(of - rest), formatCount(of)),
		...(failed.length === 0 ? [] : [t.notLoadedOf(formatCount(failed.length))]),
		...(isRunning || unqueried === 0 ? [] : [t.notQueriedOf(formatCount(unqueried))])
	].join(', ')
	return (
		<div role="status">
			{error === null ? (
				<p>
					{words}
					{isRunning ? '…' : '.'}
				</p>
			) : (
				<Banner tone="warning">
					{words}. <Reason error={error} />
				</Banner>
			)}
		</div>
	)
}
