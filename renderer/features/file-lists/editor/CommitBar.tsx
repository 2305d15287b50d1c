import type {FileListRow} from '#contract/directory.ts'
import type {JobSummary} from '#model/job.ts'
import type {DraftState} from '#model/list-draft.ts'
import {formatCount} from '#text/numbers.ts'
import {formatDuration} from '#text/durations.ts'

import {useActiveFrame, useWriteRefusal} from '#api/hooks.tsx'
import {countsWords, needSomebody, phaseView} from '#commands/jobs/job-words.ts'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {useFromNow} from '#ui/Time.tsx'
import {spell} from '#ui/keys/match.ts'
import {isMac} from '#ui/platform.ts'
import {readCalls} from '../words.ts'
import {commitBlock} from './commit-block.ts'
import {commitCalls, commitSeconds, signedCounts} from './draft-words.ts'
import styles from './Editor.module.css'
import type {OpenDialog} from './EditorDialogs.tsx'
import {t} from './text.ts'

interface CommitBarProps {
	list: FileListRow
	state: DraftState
	onOpen: (dialog: OpenDialog) => void
}

/** Staged rows, the cost of sending, the remaining API limit, and the button. */
export function CommitBar({list, state, onOpen}: CommitBarProps) {
	const lock = useWriteRefusal()
	const frame = useActiveFrame()
	const block = commitBlock({list, state, frame})
	const none = state.rows === 0 ? 'Nothing is staged.' : null
	return (
		<div className={styles.bar} role="group" aria-label={t.commit}>
			<p className={styles.barText}>
				{t.stagedReady(formatCount(state.rows), state.rows === 0 ? '' : `: ${signedCounts(state.adds, state.removes)}`, formatCount(state.ready))}
				<Price list={list} state={state} />
				{state.systemFiles.of !== null && state.systemFiles.known < state.systemFiles.of
					? t.filesSystem(formatCount(state.systemFiles.known), formatCount(state.systemFiles.of))
					: ''}
			</p>
			<Button onPress={() => onOpen({kind: 'discard'})} reason={none} opens>
				{t.discard}
			</Button>
			<Button onPress={() => onOpen({kind: 'preview'})} reason={none} opens keys={spell('Mod+Enter', isMac())}>
				{t.preview}
			</Button>
			<Button tone="primary" onPress={() => onOpen({kind: 'commit'})} lock={lock} reason={block} opens keys={spell('Mod+s', isMac())}>
				{t.commitMore}
			</Button>
		</div>
	)
}

function Price({list, state}: Pick<CommitBarProps, 'list' | 'state'>) {
	const quota = useActiveFrame()?.quota ?? null
	const resetIn = useFromNow(now => (quota === null ? 0 : Math.max(0, Math.round((Date.parse(quota.resetAt) - now) / 60_000) * 60)))
	if (state.ready === 0) return null
	const calls = commitCalls(state.ready, readCalls(list))
	const left = quota && Math.max(0, quota.remaining - quota.reserve - quota.reserved)
	const perHour = quota && quota.limit - quota.reserve
	const seconds = commitSeconds(calls, left, perHour, resetIn ?? 0)
	return (
		<>
			{' '}
			{t.aboutCalls(
				formatCount(calls),
				formatDuration(1000 * seconds),
				left === null ? '' : t.leftThisHour(formatCount(Math.max(0, left - calls)))
			)}
		</>
	)
}

/** The outcome or progress of this draft's last commit. */
export function LastCommit({job, onOpen}: {job: JobSummary; onOpen: (open: OpenDialog) => void}) {
	const behind = needSomebody(job.counts)
	return (
		<Banner
			tone={job.endedAt !== null && behind > 0 ? 'warning' : 'info'}
			action={
				<Button small onPress={() => onOpen({kind: 'result', job: job.id})} opens>
					{t.resultsMore}
				</Button>
			}
		>
			{t.lastCommit(phaseView(job).word, countsWords(job.counts))}
		</Banner>
	)
}
