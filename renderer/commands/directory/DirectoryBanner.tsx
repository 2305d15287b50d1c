import type {DirectoryState} from '#contract/directory.ts'

import {FailureBanner, Reason} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import {t} from '../text.ts'
import {refreshPrice, retryDetails, type Details} from './directory-words.ts'

interface DirectoryBannerProps {
	state: DirectoryState | undefined
	what: string
	/** The screen shows nothing and says why itself. */
	isEmpty: boolean
	onRefresh: (details: Details) => void
}

/** Says when the screen is incomplete: a refresh failed, or some details did. */
export function DirectoryBanner({state, what, isEmpty, onRefresh}: DirectoryBannerProps) {
	if (state === undefined || isEmpty) return null
	if (state.phase !== 'partial' && state.phase !== 'failed') return null
	const failed = state.phase === 'failed'
	const details = retryDetails(state)
	return (
		<FailureBanner error={state.error} act={[t.tryAgainOf(refreshPrice(state, details)), () => onRefresh(details)]}>
			{failed ? t.couldNotRefresh(what) : t.someDataCould}
			<Reason error={state.error} />{' '}
			{state.readAt === null ? (
				t.showingWhat
			) : (
				<>
					{t.youSeeLocal} <Time at={state.readAt} form="age" focusable /> {t.oldAtEnd}
				</>
			)}
		</FailureBanner>
	)
}
