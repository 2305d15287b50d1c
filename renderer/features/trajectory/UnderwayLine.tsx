import type {ReactNode} from 'react'

import {ProgressLine} from '#ui/ProgressLine.tsx'
import {useLongAge} from '#ui/Time.tsx'
import {t} from './text.ts'
import type {Underway} from './use-readings.ts'

interface UnderwayLineProps {
	underway: Underway
	hostname: string
	/** Called after *Stop*, which disappears with its line. */
	onStopped: () => void
	/** Shown until the wait is long enough to report: avoids flashing. */
	children?: ReactNode
}

/** Elapsed time of a load, and a button to cancel it. */
export function UnderwayLine({underway: {since, stop}, hostname, onStopped, children}: UnderwayLineProps) {
	if (useLongAge(since) === null) return children
	const end = () => {
		stop()
		onStopped()
	}
	return (
		<ProgressLine since={since} onStop={end} stopLabel={t.stopLoading(hostname)} inline>
			{t.loadingInline}
		</ProgressLine>
	)
}
