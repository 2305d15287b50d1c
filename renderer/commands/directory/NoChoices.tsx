import {Banner, Reason} from '#ui/States.tsx'
import {t} from '../text.ts'
import {type Copy, useDirectoryRefresh} from './use-directory.ts'

interface NoChoicesProps {
	copy: Pick<Copy<unknown>, 'state' | 'error'>
	many: string
	/** Nothing is offered. */
	isNone: boolean
}

/** In a dialog, why there may be nothing to choose from, and another try. */
export function NoChoices({copy: {state, error}, many, isNone}: NoChoicesProps) {
	const {refresh, isRefreshing} = useDirectoryRefresh()
	const why = error ?? (isNone ? state?.error : null)
	if (why == null) return null
	return (
		<Banner tone="bad" act={[t.tryAgain, () => refresh(), isRefreshing ? t.loadingNow : null]}>
			{t.couldNotLoadThe(many)}: <Reason error={why} />
		</Banner>
	)
}
