import {useWriteRefusal} from '../../api/active.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {t} from './text.ts'

/** Why nothing can be sent now, and what stays. What fails on the connection as a whole is reported once, by the frame above. */
export function WriteNote() {
	const lock = useWriteRefusal()
	if (lock === null) return null
	return (
		<Banner tone="warning">
			{lock} {t.jobsCannot}
		</Banner>
	)
}
