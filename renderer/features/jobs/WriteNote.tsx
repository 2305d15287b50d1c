import {useWriteRefusal} from '#api/hooks.tsx'
import {Banner} from '#ui/States.tsx'
import {t} from './text.ts'

/** Why nothing can be sent now, and what remains. Problems of the whole connection are reported once, in the frame above. */
export function WriteNote() {
	const lock = useWriteRefusal()
	if (lock === null) return null
	return (
		<Banner tone="warning">
			{lock} {t.jobsCannot}
		</Banner>
	)
}
