/** Steps that others approve: the approval covers the document, the step and its variables at that time. */
import {CordonError} from '#contract/errors.ts'

import {approvalId, type Approvals} from '#core/approvals/approvals.ts'
import {digestOfJson} from '#base/canonical.ts'
import type {Clock} from '#base/ports.ts'
import type {RunContext} from '#core/engine/types.ts'
import type {AskedApproval, Hands, PinnedPlaybook} from './interpreter.ts'

interface Actors {
	clock: Clock
	approvals?: Pick<Approvals, 'propose' | 'find' | 'claim' | 'timeOut'> | undefined
}

export function approvingHands(
	{approvals, clock}: Actors,
	{run}: Pick<RunContext, 'run'>,
	pinned: PinnedPlaybook
): Pick<Hands, 'propose' | 'verdict' | 'timeOut'> {
	const {digest, connection, document, others} = pinned
	const idOf = ({step}: AskedApproval) => approvalId(run.id, step)
	const contentOf = ({step, question, variables}: AskedApproval) => ({...{playbook: digest, run: run.id, step, question, variables, connection}})
	return {
		propose: asked => {
			if (approvals === undefined) throw new CordonError('approval_needed')
			const {name, question, terms, variables, timeoutMs, step} = asked
			const {id} = approvals.propose({
				...{id: idOf(asked), kind: 'step', title: `${document.name}: ${name}`, content: contentOf(asked)},
				...{connection, requester: run.startedBy, appliedBy: pinned.appliedBy, surface: 'playbook', reason: question},
				...{needed: terms.needed, groups: terms.groups, requesterMay: terms.requester_may},
				details: Object.entries(variables).map(([key, value]) => `${key.replaceAll('__', '')}: ${value.slice(0, 500)}`),
				children: Object.values(others).map(one => digestOfJson(one)),
				run: {id: run.id, step},
				...(timeoutMs !== undefined && {expiresAt: new Date(clock.now() + timeoutMs).toISOString()})
			})
			return id
		},
		verdict: asked => {
			const state = approvals?.find(idOf(asked))?.state
			if (state === undefined) return 'pending'
			if (state !== 'approved' && state !== 'used') return state
			approvals?.claim(idOf(asked), digestOfJson(contentOf(asked)), `${run.id}/${asked.step}`)
			return 'approved'
		},
		timeOut: asked => approvals?.timeOut(idOf(asked))
	}
}
