import {RefreshCw} from 'lucide-react'
import {useState, type ReactNode, type Ref} from 'react'

import type {DirectoryState} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {Button} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {t} from '../text.ts'
import {refreshPrice} from './directory-words.ts'
import {isReading, type DirectoryRefresh} from './use-directory.ts'

interface DirectoryBarProps {
	title: string
	state: DirectoryState | undefined
	/** The count in words; `null` until known. */
	count: ReactNode
	/** Nothing was read: a count of 0, or an age, would be false. Default: the state tells. */
	isUnread?: boolean
	/** How many of the objects shown have their details loaded. */
	details: {read: number; of: number}
	reading: DirectoryRefresh
	refreshButton?: Ref<HTMLButtonElement>
	children?: ReactNode
}

/** Title, count, completeness and age. The refresh button shows its cost first. */
export function DirectoryBar(props: DirectoryBarProps) {
	const {title, state, count, reading, refreshButton, children} = props
	const {read, of} = props.details
	const {isUnread = of === 0 && (state?.readAt === null || (state?.error ?? null) !== null)} = props
	const busy = isReading(state, reading.isRefreshing)
	const reason = busy ? 'Loading…' : null
	// Hidden while details load by themselves, because it would push the others aside; after a press it stays under the
	// focus.
	const [isAsked, setAsked] = useState(false)
	const offersDetails = read !== of && (!busy || isAsked)
	return (
		<ScreenBar
			title={title}
			facts={
				state && (
					<>
						{isUnread ? t.notLoadedYet : count}
						{busy ? (
							<Progress state={state} />
						) : (
							of !== 0 && <span> · {read === of ? t.allDetailsLoaded : t.detailsLoaded(formatCount(read), formatCount(of))}</span>
						)}
						{!isUnread && state.readAt !== null && (
							<>
								{' '}
								{t.dataTitle} <Time at={state.readAt} form="age" focusable /> {t.old}
							</>
						)}
					</>
				)
			}
		>
			{children}
			{offersDetails && (
				<Button
					onPress={() => {
						setAsked(true)
						reading.refresh(true)
					}}
					reason={reason}
					tooltip={t.detailsTake}
				>
					{t.loadAllDetails(refreshPrice(state, true))}
				</Button>
			)}
			<Button {...omitUndefined({ref: refreshButton})} onPress={() => reading.refresh()} reason={reason} tooltip={t.refreshesGroups}>
				<RefreshCw size={13} aria-hidden />
				{t.refreshFor(refreshPrice(state, false))}
			</Button>
		</ScreenBar>
	)
}

function Progress({state}: {state: DirectoryState}) {
	const {read, of} = state.details
	return <span role="status"> {t.loadingOf(of === 0 || read === of ? '' : t.ofDetails(formatCount(read), formatCount(of)))}</span>
}
