import type {JobSummary, TargetOutcome} from '#model/job.ts'

import {useAsked} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'

/** The job of a committed draft; `undefined` while unknown. */
export function useCommitJob(job: string | null): JobSummary | undefined {
	const {data} = useAsked(q => q.jobs.get, {input: {id: job ?? ''}, enabled: job !== null})
	return job === null ? undefined : data?.summary
}

export function useReceipts(job: string, outcomes: readonly TargetOutcome[] | undefined) {
	return usePaged(q => q.jobs.receipts, {job, ...(outcomes !== undefined && {outcomes: [...outcomes]})})
}
