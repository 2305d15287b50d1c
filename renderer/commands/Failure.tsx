import {asCordonError} from '../api/errors.ts'
import {Banner} from '../ui/Banner.tsx'

/** Stands beside what a change is asked with, and says why it failed. */
export function Failure({error}: {error: unknown}) {
	return error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>
}
