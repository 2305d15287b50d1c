import {formatAge} from '#text/durations.ts'

import {useFromNow} from './Time.tsx'

/** A shorter wait ends before anyone could read or stop it (ms). */
const worthTelling = 1000

/** Elapsed time since `since` (Unix milliseconds); `null` while too short to show: avoids flashing. */
export function useLongAge(since: number): string | null {
	return useFromNow(now => (now - since < worthTelling ? null : formatAge(now - since)))
}
