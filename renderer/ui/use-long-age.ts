import {formatAge} from '#shared/text/durations.ts'

import {useFromNow} from './Clock.tsx'

/** A shorter one is over before it could be read, let alone be stopped (ms). */
const worthTelling = 1000

/** How long something takes already (`since` in Unix milliseconds); `null` while that is not worth telling: nothing flashes. */
export function useLongAge(since: number): string | null {
	return useFromNow(now => (now - since < worthTelling ? null : formatAge(now - since)))
}
