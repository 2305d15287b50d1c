/** Playbooks: CACAO 2.0 documents, what is wrong with one, and the runs of it. */
/** Requests to it are commands of Cordon: they are answered within the process and never sent. */
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
	'uuid',
] as const
export type VariableType = (typeof variableTypes)[number]

export const stepTypes = [
	'start',
	'end',
	'action',
	'playbook-action',
	'parallel',
	'if-condition',
	'while-condition',
	'switch-condition',
] as const
export type StepType = (typeof stepTypes)[number]

/**
 * `error`: the document is no playbook. `refused`: it is one, and Cordon does not run it. `warning`: it runs, look at it.
 * `portability`: it runs here, and SOARCA would run it otherwise or not at all.
 */
export const issueLevels = ['error', 'refused', 'warning', 'portability'] as const
export type IssueLevel = (typeof issueLevels)[number]

export interface PlaybookIssue {
	readonly level: IssueLevel
	/** Id of the step at fault; `null`: of none. */
	readonly step: string | null
	/** Name of that step, or its id. */
	readonly name: string | null
	/** Where it stands: within the step, else within the document; parts separated by dots. */
	readonly field: string
	/** What is wrong, in a sentence. */
	readonly message: string
	/** What to do, in a sentence. */
	readonly fix: string
}

export interface PlaybookVerdict {
	/** No error. */
	readonly valid: boolean
	/** Valid, and nothing of it is refused. */
	readonly runnable: boolean
	/** Valid, and SOARCA runs it as Cordon does, as far as its source tells. */
	readonly portable: boolean
	readonly issues: readonly PlaybookIssue[]
}

/** An external variable, for the form of a start. */
export interface PlaybookInput {
	readonly name: string
	readonly type: string
	readonly description: string
	/** Used when none is given; `null`: one has to be given. */
	readonly value: string | null
}

/** `untrusted`: by a key that is not trusted, revoked or out of its time. `broken`: it does not fit the document. */
export interface PlaybookSignature {
	readonly state: 'library' | 'unsigned' | 'trusted' | 'untrusted' | 'broken'
	/** Whose key it was. */
	readonly by: string | null
}

/** A playbook of the library or of this profile, by its newest version. */
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

export const playbookRunStates = ['running', 'paused', 'waiting', 'interrupted', 'completed', 'failed', 'cancelled'] as const
export type PlaybookRunState = (typeof playbookRunStates)[number]

/** Runs by how they ended; `open` has not. */
export const playbookRunFilters = ['open', 'completed', 'failed', 'cancelled'] as const
export type PlaybookRunFilter = (typeof playbookRunFilters)[number]

export interface PlaybookRun {
	readonly id: string
	readonly playbook: string
	readonly digest: string
	readonly title: string
	readonly connection: string
	readonly incident: string | null
	/** `waiting`: for an answer. `interrupted`: for somebody to resume it. */
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
	/** Attempts that another one followed, oldest first. */
	readonly past: readonly {
		readonly attempt: number
		readonly state: string
		readonly message: string | null
		readonly begunAt: string | null
		readonly endedAt: string | null
	}[]
	readonly input: unknown
	readonly output: unknown
	readonly error: {readonly code: string; readonly message: string} | null
	readonly begunAt: string | null
	readonly endedAt: string | null
	/** When a pause ends or a question times out. */
	readonly due: string | null
}

export interface PlaybookQuestion {
	readonly step: string
	readonly name: string
	readonly question: string
	/** Any text answers it; else yes or no. */
	readonly free: boolean
	/** ID of the approval that answers it; `null`: whoever runs it answers. */
	readonly approval: string | null
	readonly due: string | null
}

export interface PlaybookRunDetail extends PlaybookRun {
	/** Of the error that ended it. */
	readonly code: string | null
	readonly variables: Readonly<Record<string, string>>
	readonly steps: readonly PlaybookStepRun[]
	readonly questions: readonly PlaybookQuestion[]
}

/** One thing that a run would do. `change`: it was not sent. */
export interface DryStep {
	readonly step: string
	readonly name: string
	readonly kind: 'read' | 'change' | 'note' | 'question' | 'pause' | 'playbook'
	/** What exactly, such as the command with its arguments. */
	readonly what: string
	readonly result: string
	/** What it would cost; readings have been made. */
	readonly calls: number
}

export interface DryRun {
	readonly steps: readonly DryStep[]
	/** Why it would end before its end; `null`: it would complete. */
	readonly because: string | null
	readonly changes: number
	/** Of all changes. */
	readonly calls: number
}
