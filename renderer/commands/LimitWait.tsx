import {whoWaits} from '#model/frame.ts'

import {useActiveFrame} from '#api/hooks.tsx'
import {Countdown, Time, useFromNow} from '#ui/Time.tsx'
import {t} from './text.ts'

export function WaitsUntil({at}: {at: string}) {
	return (
		<strong className="warn">
			{t.waitingApi} <Time at={at} form="clock" />
			{t.in} <Countdown to={at} />
		</strong>
	)
}

/** In a dialog that waits for an answer: a dialog covers the banner on the API limit. What is left to jobs or people holds up no dialog. */
export function LimitWait() {
	const quota = useActiveFrame()?.quota ?? null
	const until = quota === null || whoWaits(quota) !== 'everyone' ? null : quota.waitingUntil
	const waits = useFromNow(now => Date.parse(until ?? '') > now)
	if (!waits || until === null) return null
	return (
		<p role="status">
			<WaitsUntil at={until} />
		</p>
	)
}
