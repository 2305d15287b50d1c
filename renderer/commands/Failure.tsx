import {Banner} from '#ui/States.tsx'

/** Stands beside what a change is asked with, and says why it failed. */
export function Failure({error}: {error: Error | null}) {
	return error === null ? null : <Banner tone="bad">{error.message}</Banner>
}
