import {useMutation, useQuery} from '@tanstack/react-query'

import type {CordonError} from '#shared/contract/errors.ts'
import type {JobDetail, JobSummary} from '#shared/model/job.ts'

import {useApi} from '../../api/ApiProvider.tsx'
import {asCordonError} from '../../api/errors.ts'

export interface JobView {
	/** `undefined` until it was read. */
	readonly detail: JobDetail | undefined
	readonly error: CordonError | null
	retry(): void
}

/** One job; the live stream keeps it right. */
export function useJob(id: string): JobView {
	const {data, error, refetch} = useQuery(useApi().queries.jobs.get.queryOptions({input: {id}}))
	return {detail: data, error: error === null ? null : asCordonError(error), retry: () => void refetch()}
}

export interface JobActs {
	stop(): void
	resume(): void
	readonly isBusy: boolean
	readonly failed: CordonError | null
}

/** Stopping is never confirmed: it only keeps things from being sent. */
export function useJobActs(id: string, onDone: (summary: JobSummary, act: 'stop' | 'resume') => void): JobActs {
	const {client} = useApi()
	const {mutate, isPending, error} = useMutation({
		mutationFn: (act: 'stop' | 'resume') => client.jobs[act]({id}),
		onSuccess: onDone,
	})
	return {
		stop: () => mutate('stop'),
		resume: () => mutate('resume'),
		isBusy: isPending,
		failed: error === null ? null : asCordonError(error),
	}
}
