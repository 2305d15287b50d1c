import {findCommand} from '#shared/commands/catalogue.ts'
import type {RunProgress} from '#contract/live.ts'
import {formatCount} from '#text/numbers.ts'

import {useProgress} from '#api/hooks.tsx'
import {ProgressLine} from '#ui/ProgressLine.tsx'
import {Time} from '#ui/Time.tsx'
import {WaitsUntil} from './LimitWait.tsx'
import {t} from './text.ts'
import type {RunState} from './use-run.ts'

export function RunProgressLine({of: {name, run, since}, onStop}: {of: Extract<RunState, {kind: 'running'}>; onStop: () => void}) {
	const progress = useProgress(run)
	return (
		<ProgressLine since={since} onStop={onStop}>
			{progress !== null ? <Doing progress={progress} /> : findCommand(name)?.risk === 'read' ? t.queryingTheService : t.sendingChange}
		</ProgressLine>
	)
}

function Doing({progress}: {progress: RunProgress}) {
	switch (progress.kind) {
		case 'pages':
			return (
				<>
					{t.loadedPageRecords(
						formatCount(progress.read),
						progress.total === null ? '' : ` of ${formatCount(progress.total)}`,
						formatCount(progress.records)
					)}
				</>
			)
		case 'waiting_for_quota':
			return <WaitsUntil at={progress.until} />
		case 'retrying':
			return <>{t.attemptS(progress.attempt, progress.of, Math.ceil(progress.inMs / 1000), progress.because)}</>
		case 'polling':
			return (
				<>
					{t.stateChecking(progress.state)} <Time at={progress.until} form="clock" />
				</>
			)
	}
}
