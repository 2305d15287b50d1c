/** A CACAO 2.0 document after the schema check, and the paths between its steps. */
import {z} from 'zod'

import type {StepType} from './playbook.ts'

export interface Variable {
	readonly type: string
	readonly description?: string
	readonly value?: string | null
	readonly constant?: boolean
	readonly external?: boolean
}
export type Variables = Readonly<Record<string, Variable>>

export interface PlaybookCommand {
	readonly type: string
	readonly command?: string
	readonly headers?: Readonly<Record<string, readonly string[]>>
	readonly content?: string
	readonly content_b64?: string
}

export interface WorkflowStep {
	readonly type: StepType
	readonly name?: string
	readonly description?: string
	readonly delay?: number
	readonly timeout?: number
	readonly step_variables?: Variables
	readonly on_completion?: string
	readonly on_success?: string
	readonly on_failure?: string
	readonly commands?: readonly PlaybookCommand[]
	readonly agent?: string
	readonly targets?: readonly string[]
	readonly in_args?: readonly string[]
	readonly out_args?: readonly string[]
	readonly condition?: string
	readonly on_true?: string
	readonly on_false?: string
	readonly switch?: string
	readonly cases?: Readonly<Record<string, string>>
	readonly next_steps?: readonly string[]
	readonly playbook_id?: string
	readonly playbook_version?: string
	readonly step_extensions?: Readonly<Record<string, unknown>>
}

interface AgentTarget {
	type: string
	name: string
	address?: Readonly<Record<string, readonly unknown[]>>
	authentication_info?: string
}

export interface PlaybookDocument {
	readonly id: string
	readonly name: string
	readonly description?: string
	readonly created: string
	readonly modified: string
	readonly revoked?: boolean
	readonly valid_from?: string
	readonly valid_until?: string
	readonly labels?: readonly string[]
	readonly workflow_start: string
	readonly workflow_exception?: string
	readonly workflow: Readonly<Record<string, WorkflowStep>>
	readonly playbook_variables?: Variables
	readonly agent_definitions?: Readonly<Record<string, AgentTarget>>
	readonly target_definitions?: Readonly<Record<string, AgentTarget>>
	readonly signatures?: readonly unknown[]
}

/** The extension with the approvers of a manual step. */
export const approvalExtension = 'extension-definition--6f0d5a0e-51c4-5b7a-9d53-0c6b1e7f2a90'

const approvalTerms = z.strictObject({
	needed: z.int().min(1).max(5).default(1),
	groups: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
	requester_may: z.boolean().default(false),
	/** Used instead of `on_failure` when nobody answers in time. */
	on_timeout: z.string().max(300).optional()
})
export type StepApproval = z.infer<typeof approvalTerms>

/** `undefined`: a plain question. `null`: unreadable. */
export function approvalOf({step_extensions: extensions}: WorkflowStep): StepApproval | null | undefined {
	const given = extensions?.[approvalExtension]
	return given === undefined ? undefined : (approvalTerms.safeParse(given).data ?? null)
}

/** `undefined` without one: names such as `constructor` are no steps. */
export function stepOf({workflow}: PlaybookDocument, id: string | undefined): WorkflowStep | undefined {
	return id !== undefined && Object.hasOwn(workflow, id) ? workflow[id] : undefined
}

/** Under another ID. The original's signatures are not valid for it. */
export function copyOf<T extends PlaybookDocument>(document: T, id: string, name: string, now: string): T {
	const {signatures: _gone, ...rest} = document as T & {signatures?: unknown}
	// Unchanged except for the signatures.
	return {...rest, id, name, created: now, modified: now} as unknown as T
}

/** A continuation of a step, by its field; branches return to the step. */
interface Pointer {
	field: string
	to: string
	branch: boolean
}

export function pointersOf(step: WorkflowStep): readonly Pointer[] {
	const one = (field: string, to: string | undefined, branch: boolean): readonly Pointer[] => (to === undefined ? [] : [{field, to, branch}])
	return [
		...one('on_true', step.on_true, true),
		...one('on_false', step.on_false, true),
		...Object.entries(step.cases ?? {}).map(([name, to]) => ({field: `cases.${name}`, to, branch: true})),
		...(step.next_steps ?? []).map((to, index) => ({field: `next_steps.${index}`, to, branch: true})),
		...one('on_completion', step.on_completion, false),
		...one('on_success', step.on_success, false),
		...one('on_failure', step.on_failure, false),
		...one('on_timeout', approvalOf(step)?.on_timeout, false)
	]
}
