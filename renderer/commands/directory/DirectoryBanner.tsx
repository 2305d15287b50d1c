import type {DirectoryState} from '#shared/contract/directory.ts'

import {Button} from '../../ui/Button.tsx'
import {FailureBanner} from '../../ui/FailureBanner.tsx'
import {Reason} from '../../ui/Reason.tsx'
import {Time} from '../../ui/Time.tsx'
import {t} from '../text.ts'
import {refreshPrice, retryDetails, type Details} from './directory-words.ts'

interface DirectoryBannerProps {
	readonly state: DirectoryState | undefined
	/** What the screen shows, such as `groups`. */
	readonly what: string
	/** Nothing is shown: the screen itself says why. */
	readonly isEmpty: boolean
	readonly onRefresh: (details: Details) => void
}

/** Tells when what is shown is not the whole truth: a reading that failed, or details that could not be read. */
export function DirectoryBanner({state, what, isEmpty, onRefresh}: DirectoryBannerProps) {
	if (state === undefined || isEmpty) return null
	if (state.phase !== 'partial' && state.phase !== 'failed') return null
	const failed = state.phase === 'failed'
	const details = retryDetails(state)
	return (
		<FailureBanner
			error={state.error}
			action={
				<Button size="small" onPress={() => onRefresh(details)}>
					{t.tryAgainOf(refreshPrice(state, details))}
				</Button>
			}
		>
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
