import type {ReactNode} from 'react'

import {ProgressLine} from '../../ui/ProgressLine.tsx'
import {useLongAge} from '../../ui/use-long-age.ts'
import {t} from './text.ts'
import type {Underway} from './use-readings.ts'

interface UnderwayLineProps {
	readonly underway: Underway
	readonly hostname: string
	/** After *Stop*, which goes away with its line. */
	readonly onStopped: () => void
	/** What stands in its place until it is worth telling: nothing flashes. */
	readonly children?: ReactNode
}

/** How long a reading takes already, and the way to give it up. */
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
