import type {JobSummary} from '#model/job.ts'

import {useAsked} from '#api/hooks.tsx'

/** The job of a committed draft; `undefined` while unknown. */
export function useCommitJob(job: string | null): JobSummary | undefined {
	const {data} = useAsked(q => q.jobs.get, {input: {id: job ?? ''}, enabled: job !== null})
	return job === null ? undefined : data?.summary
}
