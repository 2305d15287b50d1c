/** A bulk change in one or two parts: servers split off have their own plan and confirmation. */
import type {JobAction, JobPlan} from '#model/job.ts'

import type {BulkKind} from '#state/ui.tsx'

/** Ids that a plan has split off for a separate review. */
export function splitOff({leftOut}: Pick<JobPlan, 'leftOut'>): readonly string[] {
	return leftOut.flatMap(({kind, id}) => (kind === 'review' ? [id] : []))
}

export interface BulkForm {
	reason: string
	ticket: string
	code: 'generated' | 'service'
	lease: {hours: number | null; auto: boolean}
	group: string | null
	/** GUIDs by product; unchanged products are omitted. */
	policies: Readonly<Record<string, string>>
	/** Share of failures at which the job stops sending, 0 to 1. */
	stopShare: number
}

export const usualStopShare = 0.2

/** `null` while something is missing; `problemsOf` says what. */
export function actionOf(kind: BulkKind, form: BulkForm): JobAction | null {
	const {code, lease, group, policies} = form
	const reason = form.reason.trim()
	const ticket = form.ticket.trim() === '' ? null : form.ticket.trim()
	if (reason === '') return null
	if (kind === 'isolate') return {kind, reason, ticket, code, lease}
	if (kind === 'release') return {kind, reason, ticket}
	if (kind === 'policies') return Object.keys(policies).length === 0 ? null : {kind, policies, reason}
	return group === null ? null : {kind, group, reason}
}

export type BulkProblems = ReturnType<typeof problemsOf>

export function problemsOf(kind: BulkKind, form: BulkForm, targets: number) {
	return {
		targets: targets === 0 ? 'There are no targets: nothing is done without a list, and there is no “all”.' : null,
		group: kind === 'move' && form.group === null ? 'Choose the group.' : null,
		policies: kind === 'policies' && Object.keys(form.policies).length === 0 ? 'Choose a policy of one product at least.' : null
	}
}
