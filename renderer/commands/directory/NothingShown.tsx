import type {ReactNode} from 'react'

import {errorFromReport} from '#contract/errors.ts'
import {formatCount} from '#text/numbers.ts'

import {EmptyState, ScreenErrorState, LocalDataError} from '#ui/States.tsx'
import {t} from '../text.ts'
import {refreshPrice} from './directory-words.ts'
import type {Copy, DirectoryRefresh} from './use-directory.ts'

export interface NothingShownProps {
	copy: Copy<unknown>
	reading: DirectoryRefresh
	/** Singular and plural, such as `group` and `groups`. */
	noun: readonly [string, string]
	/** The restrictions in words; `null` when there are none. */
	asked: string | null
	onShowAll: () => void
	children: ReactNode
}

/** Why there is no row: the reading failed or is not finished, nothing matches, or nothing exists. */
export function NothingShown({copy, reading, noun, asked, onShowAll, children}: NothingShownProps) {
	const {items, state, error, retry} = copy
	const [one, many] = noun
	if (error !== null) return <LocalDataError error={error} onRetry={retry} />
	if (items === undefined || state === undefined) return null
	if (items.length > 0) {
		const all = formatCount(items.length)
		return (
			<EmptyState title={t.noMatches(one)} act={[t.showAllOf(all), onShowAll]}>
				{t.noneMatches(all, many, asked ?? t.whatIsAsked)}
			</EmptyState>
		)
	}
	const read = () => reading.refresh()
	if (state.error !== null) return <ScreenErrorState error={errorFromReport(state.error)} title={t.couldNotLoadThe(many)} onRetry={read} />
	return (
		<EmptyState title={state.phase === 'empty' ? t.noLoadedYet(one) : t.no(many)} act={[t.loadThemOf(refreshPrice(state, false)), read]}>
			{children}
		</EmptyState>
	)
}
