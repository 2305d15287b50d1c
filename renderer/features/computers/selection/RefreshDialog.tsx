import {useEffect, useRef, useState} from 'react'

import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveFrame, useConnected} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {useReadComputers} from '#commands/use-read-computers.ts'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {t} from '../text.ts'

interface Progress {
	readonly done: number
	readonly failed: readonly string[]
	readonly isRunning: boolean
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
		let done = 0
		setProgress({done, failed, isRunning: true})
		for (const guid of wanted) {
			try {
				await client.computers.refreshOne({connection, guid}, {signal: abort.signal})
				done += 1
			} catch (error) {
				if (abort.signal.aborted) break
				failed.push(guid)
				// A rejected key will be rejected for all others too.
				if (asCordonError(error).code === 'unauthorized') break
			}
			setProgress({done, failed: [...failed], isRunning: true})
		}
		setProgress({done, failed: [...failed], isRunning: false})
	}
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
						{progress.failed.length !== 0 && <Button onPress={() => void read(progress.failed)}>{t.retryFailed}</Button>}
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
				{progress !== null && <Told progress={progress} of={guids.length} />}
			</div>
		</Dialog>
	)
}

function Told({progress: {done, failed, isRunning}, of}: {progress: Progress; of: number}) {
	const words = `${formatCount(done)} of ${formatCount(of)} loaded`
	return (
		<div role="status">
			{failed.length === 0 ? (
				<p>
					{words}
					{isRunning ? '…' : '.'}
				</p>
			) : (
				<Banner tone="warning">{t.couldNotLoaded(words, formatCount(failed.length))}</Banner>
			)}
		</div>
	)
}
