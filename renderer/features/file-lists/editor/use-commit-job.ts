import type {JobReceipt, JobSummary, ReceiptWindow, TargetOutcome} from '#model/job.ts'

import {useApi, useAsked} from '#api/hooks.tsx'
import {usePaged, type Paged} from '#api/pages.ts'

/** The job of a committed draft; `undefined` while unknown. */
export function useCommitJob(job: string | null): JobSummary | undefined {
	const {data} = useAsked(q => q.jobs.get, {input: {id: job ?? ''}, enabled: job !== null})
	return job === null ? undefined : data?.summary
}

export function useReceipts(job: string, outcomes: readonly TargetOutcome[] | undefined): Paged<JobReceipt, ReceiptWindow> {
	const {queries} = useApi()
	return usePaged<JobReceipt, ReceiptWindow>({
		pageSize: 100,
		question: JSON.stringify([job, outcomes]),
		page: (offset, limit) =>
			queries.jobs.receipts.queryOptions({input: {job, offset, limit, ...(outcomes !== undefined && {outcomes: [...outcomes]})}}),
	})
}
