import {Banner} from '#ui/States.tsx'
import {InView} from '#ui/InView.tsx'
import {Failure} from './Failure.tsx'
import {RunProgressLine} from './RunProgressLine.tsx'
import {t} from './text.ts'
import type {Runner} from './use-run.ts'

/** Pressing again would ask twice. */
export function isRequested(runner: Runner | undefined) {
	return runner?.state.kind === 'failed' && runner.state.error.code === 'approval_needed'
}

/** A command's state in a dialog: running, refused, failed or unknown. Success closes the dialog. */
export function RunNote({runner}: {runner: Runner}) {
	const {state} = runner
	if (state.kind === 'running')
		return (
			<InView key="running">
				<RunProgressLine of={state} onStop={runner.stop} />
			</InView>
		)
	if (state.kind !== 'failed') return null
	const {code, message, details} = state.error
	const {fix, service} = details
	return (
		<InView>
			{isRequested(runner) ? (
				<Failure error={state.error} />
			) : (
				<Banner tone={code === 'outcome_unknown' ? 'warning' : 'bad'}>
					{message}
					{fix === undefined ? '' : ` ${fix}`}
					{service === undefined || message.includes(service) ? '' : t.theServiceSaid(service)}
				</Banner>
			)}
		</InView>
	)
}
