import {useEffect, useRef, useState} from 'react'

import type {JobSummary, TargetOutcome} from '#model/job.ts'
import {whole} from '#shared/streams.ts'
import {formatCount} from '#text/numbers.ts'

import {useWriteRefusal, useApi} from '#api/hooks.tsx'
import {needSomebody, toggled} from '#commands/jobs/job-words.ts'
import {JobProgress} from '#commands/jobs/JobProgress.tsx'
import {ReceiptsTable} from '#commands/jobs/ReceiptsTable.tsx'
import {Failure} from '#commands/Failure.tsx'
import {UndoJobButton} from '#commands/undo/UndoListDialog.tsx'
import {Button} from '#ui/Button.tsx'
import {saveText} from '#ui/save.ts'
import {Dialog} from '#ui/Dialog.tsx'
import styles from './Editor.module.css'
import {t} from './text.ts'
import {useAct} from './use-draft.ts'

interface ResultDialogProps {
	job: JobSummary
	onRetry: () => void
	onClose: () => void
}

/** The outcome of each row, live. Closing it stops nothing. */
export function ResultDialog({job: {id, kind, title, endedAt, counts}, onRetry, onClose}: ResultDialogProps) {
	const lock = useWriteRefusal()
	const {client} = useApi()
	const [outcomes, setOutcomes] = useState<readonly TargetOutcome[]>([])
	const behind = needSomebody(counts)
	const stop = useRef<AbortController>(null)
	// Whoever leaves gets no file.
	useEffect(() => () => stop.current?.abort(), [])
	const saving = useAct(() => whole(client.jobs.export({id, format: 'csv'}, {signal: (stop.current = new AbortController()).signal})), saveText)
	return (
		<Dialog
			title={title}
			onClose={onClose}
			size="large"
			footer={
				<>
					{endedAt !== null && (
						<>
							<Button onPress={saving.run} reason={saving.isRunning ? t.saving : null}>
								{t.saveResults}
							</Button>
							<UndoJobButton id={id} />
							<Button onPress={onRetry} lock={lock} reason={behind === 0 ? t.nothingFailed : null}>
								{t.retryFailed(formatCount(behind))}
							</Button>
						</>
					)}
					<Button tone="primary" onPress={onClose}>
						{endedAt === null ? t.leaveItRunning : t.close}
					</Button>
				</>
			}
		>
			<div className="stack">
				<JobProgress id={id} chosen={outcomes} onChoose={outcome => setOutcomes(toggled(outcomes, outcome))} />
				<Failure error={saving.error} />
				<div className={styles.results}>
					<ReceiptsTable job={id} kind={kind} outcomes={outcomes} search="" onShowAll={() => setOutcomes([])} />
				</div>
			</div>
		</Dialog>
	)
}
