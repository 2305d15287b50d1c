import type {CordonError} from '#contract/errors.ts'
import type {Drift} from '#model/job.ts'
import {formatCount} from '#text/numbers.ts'

import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Failure} from '../Failure.tsx'
import {observedWords} from './job-words.ts'
import {t} from './text.ts'
import {useNames} from './use-names.ts'

const mostShown = 200

/** What changed since planning: before and now, side by side. */
export function DriftList({drift}: {drift: readonly Drift[]}) {
	const names = useNames(drift.some(({planned}) => 'group' in planned || 'windows' in planned))
	const words = (state: Drift['planned'] | null) =>
		state === null
			? 'not there any more'
			: observedWords(Object.fromEntries(Object.entries(state).map(([key, value]) => [key, typeof value === 'string' ? names(value) : value]))) ||
				'nothing known'
	if (drift.length === 0) return null
	return (
		<PlainTable
			caption={
				drift.length > mostShown ? t.changedFirst(formatCount(drift.length), mostShown) : t.changedSincePlanning(formatCount(drift.length))
			}
			columns={[t.target, t.whenPlanned, t.nowTitle]}
		>
			{drift
				.slice(0, mostShown)
				.map(({id, label, planned, found}) => tableRow(id, <span title={id}>{label}</span>, words(planned), words(found)))}
		</PlainTable>
	)
}

/** Why a plan could not be made or applied. Nothing was sent. */
export function PlanFailure({error, drift, onAgain}: {error: CordonError; drift: readonly Drift[]; onAgain: () => void}) {
	return (
		<>
			<Failure error={error} act={[drift.length > 0 ? t.createNewPlan : t.tryAgain, onAgain]} />
			<DriftList drift={drift} />
		</>
	)
}
