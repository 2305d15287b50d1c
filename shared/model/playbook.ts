/** Playbooks: CACAO 2.0 documents, their problems, and their runs. */
/** Requests to it are commands of Cordon: handled within the process and never sent. */
export const ownAddress = 'http://127.0.0.1:4810/playbook.api'

export const variableTypes = [
	'bool',
	'dictionary',
	'float',
	'hexstring',
	'integer',
	'ipv4-addr',
	'ipv6-addr',
	'long',
	'mac-addr',
	'hash',
	'md5-hash',
	'sha256-hash',
	'string',
	'uri',
	'uuid'
] as const
export type VariableType = (typeof variableTypes)[number]

const stepTypes = ['start', 'end', 'action', 'playbook-action', 'parallel', 'if-condition', 'while-condition', 'switch-condition'] as const
export type StepType = (typeof stepTypes)[number]

/**
 * `error`: no valid playbook. `refused`: valid, but Cordon does not run it. `warning`: it runs, check it. `portability`: it runs
 * here, but SOARCA runs it differently or not at all.
 */
const issueLevels = ['error', 'refused', 'warning', 'portability'] as const
export type IssueLevel = (typeof issueLevels)[number]

export interface PlaybookIssue {
	readonly level: IssueLevel
	/** Id of the faulty step; `null`: none. */
	readonly step: string | null
	/** Name of that step, or its id. */
	readonly name: string | null
	/** Path: within the step, else within the document; parts separated by dots. */
	readonly field: string
	readonly message: string
	/** What to do, in a sentence. */
	readonly fix: string
}

export interface PlaybookVerdict {
	/** No error. */
	readonly valid: boolean
	/** Valid, and nothing is refused. */
	readonly runnable: boolean
	/** Valid, and SOARCA runs it like Cordon, by its source. */
	readonly portable: boolean
	readonly issues: readonly PlaybookIssue[]
}

/** An external variable, for the start form. */
export interface PlaybookInput {
	name: string
	type: string
	description: string
	/** The default; `null`: required. */
	value: string | null
}

/** `untrusted`: by a key that is not trusted, revoked or expired. `broken`: does not match the document. */
export interface PlaybookSignature {
	readonly state: 'library' | 'unsigned' | 'trusted' | 'untrusted' | 'broken'
	/** The key's owner. */
	readonly by: string | null
}

/** A playbook of the library or of this profile, in its newest version. */
export interface PlaybookSummary {
	readonly id: string
	readonly name: string
	readonly description: string
	readonly modified: string
	/** SHA-256 of its canonical JSON. */
	readonly digest: string
	readonly origin: 'library' | 'own'
	readonly signature: PlaybookSignature
	readonly tags: readonly string[]
	readonly inputs: readonly PlaybookInput[]
}

export interface PlaybookVersion {
	readonly digest: string
	readonly modified: string
	readonly name: string
	readonly addedAt: string
	readonly addedBy: string
}

export interface PlaybookDetail extends PlaybookSummary {
	/** Newest first. */
	readonly versions: readonly PlaybookVersion[]
	readonly document: Readonly<Record<string, unknown>>
	readonly verdict: PlaybookVerdict
}

const playbookRunStates = ['running', 'paused', 'waiting', 'interrupted', 'completed', 'failed', 'cancelled'] as const
export type PlaybookRunState = (typeof playbookRunStates)[number]

/** Whether a run goes on only when somebody answers or resumes it. */
export function needsSomebody({state}: {state: PlaybookRunState}): boolean {
	return state === 'waiting' || state === 'interrupted'
}

/** Runs by outcome; `open` has not ended. */
export const playbookRunFilters = ['open', 'completed', 'failed', 'cancelled'] as const
export type PlaybookRunFilter = (typeof playbookRunFilters)[number]

export interface PlaybookRun {
	readonly id: string
	readonly playbook: string
	readonly digest: string
	readonly title: string
	readonly connection: string
	readonly incident: string | null
	/** `waiting`: for an answer. `interrupted`: until resumed. */
	readonly state: PlaybookRunState
	/** Why it is interrupted, failed or was cancelled. */
	readonly because: string | null
	readonly startedAt: string
	readonly startedBy: string
	readonly endedAt: string | null
	/** Failed steps that can be retried or skipped. */
	readonly failed: readonly string[]
}

export interface PlaybookStepRun {
	readonly id: string
	readonly name: string
	readonly kind: 'step' | 'sleep' | 'decision' | 'child' | 'value'
	readonly state: 'planned' | 'intent' | 'done' | 'failed' | 'unknown' | 'skipped'
	readonly attempt: number
	/** Earlier attempts, oldest first. */
	readonly past: readonly {attempt: number; state: string; message: string | null; begunAt: string | null; endedAt: string | null}[]
	readonly input: unknown
	readonly output: unknown
	readonly error: {code: string; message: string} | null
	readonly begunAt: string | null
	readonly endedAt: string | null
	/** When a pause ends or a question times out. */
	readonly due: string | null
}

/** ID in the document of a row of a run: `exception/ID#2/1` belongs to `ID`. */
export function stepOfRow(id: string): string {
	return id.replace(/^exception\/|#.*$/g, '')
}

/** What a run has done with one step of its document. */
export interface PlaybookStepSum extends Pick<PlaybookStepRun, 'kind' | 'state' | 'attempt'> {
	/** ID in the document. Kind, state and attempt are those of its newest row. */
	readonly step: string
	readonly visits: number
}

/** A run at one look, however many rows it has. */
export interface PlaybookProgress extends PlaybookRun {
	readonly questions: readonly PlaybookQuestion[]
	readonly failedNames: readonly string[]
	readonly steps: readonly PlaybookStepSum[]
}

export interface PlaybookQuestion {
	step: string
	name: string
	question: string
	/** Any text is an answer; otherwise yes or no. */
	free: boolean
	/** ID of the approval that answers it; `null`: the operator answers. */
	approval: string | null
	due: string | null
}

export interface PlaybookRunDetail extends PlaybookRun {
	/** Code of the final error. */
	readonly code: string | null
	readonly variables: Readonly<Record<string, string>>
	readonly steps: readonly PlaybookStepRun[]
	readonly questions: readonly PlaybookQuestion[]
}

/** One action of a run. `change`: not sent; `refused`: it would be. */
export interface DryStep {
	readonly step: string
	readonly name: string
	readonly kind: 'read' | 'change' | 'refused' | 'note' | 'question' | 'pause' | 'playbook'
	/** The exact action, such as the command with its arguments. */
	readonly what: string
	readonly result: string
	/** The cost; reads have been made. */
	readonly calls: number
}

export interface DryRun {
	readonly steps: readonly DryStep[]
	/** Why it would end early; `null`: it would complete. */
	readonly because: string | null
	readonly changes: number
	/** Of all changes. */
	readonly calls: number
	/** Steps that may change something and were not reached: in other branches, or after its early end. */
	readonly open: number
}
