import {useMutation} from '@tanstack/react-query'

import type {CordonError} from '#contract/errors.ts'
import type {JobDetail, JobSummary} from '#model/job.ts'

import {useApi, useAsked} from '#api/hooks.tsx'

interface JobView {
	/** `undefined` until loaded. */
	readonly detail: JobDetail | undefined
	readonly error: CordonError | null
	retry(): void
}

/** One job; the live stream keeps it current. */
export function useJob(id: string): JobView {
	const {data, error, refetch} = useAsked(q => q.jobs.get, {input: {id}})
	return {detail: data, error, retry: refetch}
}

interface JobActs {
	stop(): void
	resume(): void
	readonly isBusy: boolean
	readonly failed: CordonError | null
}

/** Stopping needs no confirmation: it only prevents sending. */
export function useJobActs(id: string, onDone: (summary: JobSummary, act: 'stop' | 'resume') => void): JobActs {
	const {client} = useApi()
	const {mutate, isPending, error} = useMutation({mutationFn: (act: 'stop' | 'resume') => client.jobs[act]({id}), onSuccess: onDone})
	return {stop: () => mutate('stop'), resume: () => mutate('resume'), isBusy: isPending, failed: error}
}
