/** What a job is called. */
import type {JobAction} from '#model/job.ts'
import {actWords} from '#text/acts.ts'

/** `Isolate 12 computers`, `Move 30 computers to Triage` */
export function titleOf(kind: JobAction['kind'], targets: number, goal?: string) {
	return `${actWords(kind, targets)}${goal === undefined ? '' : ` to ${goal}`}`
}
