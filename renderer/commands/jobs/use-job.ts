import type {JobSummary} from '#model/job.ts'

import {useAsked, useCall} from '#api/hooks.tsx'

/** One job; the live stream keeps it current. */
export function useJob(id: string) {
	const {data, error, refetch} = useAsked(q => q.jobs.get, {input: {id}})
	return {
		/** `undefined` until loaded. */
		detail: data,
		error,
		retry: refetch
	}
}

/** Stopping needs no confirmation: it only prevents sending. */
export function useJobActs(id: string, onDone: (summary: JobSummary, act: 'stop' | 'resume') => void) {
	const {mutate, isPending, error} = useCall((client, act: 'stop' | 'resume') => client.jobs[act]({id}), {onSuccess: onDone})
	return {stop: () => mutate('stop'), resume: () => mutate('resume'), isBusy: isPending, failed: error}
}
