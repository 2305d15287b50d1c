/** States: always a shape and a word, never colour alone. */
import type {ProbeStage} from '../model/choices.ts'
import type {PlaybookSignature, PlaybookStepRun} from '../model/playbook.ts'
import type {IsolationGlance} from '../model/glance.ts'

interface StateText {
	shape: string
	word: string
}

export const isolationStates: Readonly<Record<IsolationGlance, StateText>> = {
	not_isolated: {shape: '○', word: 'not isolated'},
	pending_start: {shape: '◔', word: 'isolating'},
	isolated: {shape: '●', word: 'isolated'},
	pending_stop: {shape: '◕', word: 'releasing'},
	unavailable: {shape: '∅', word: 'not available'},
	unknown: {shape: '?', word: 'unknown'}
}

export const probeTitles: Readonly<Record<ProbeStage, string>> = {
	server: 'Server',
	exposed: 'Exposed',
	tcp: 'Connection',
	tls: 'TLS',
	access: 'Access',
	instance: 'Instance',
	answer: 'Answer'
}

/** A target already in the wanted state. */
export const nothingToDo = {word: 'nothing to do', title: 'Nothing to do'} as const

/** Whether a playbook of a profile is signed. */
export function signatureWords({state, by}: PlaybookSignature) {
	if (state === 'trusted') return `signed by ${by ?? ''}`
	if (state === 'untrusted') return by === null ? 'signed, key not trusted' : `signature of ${by} not valid now`
	return state === 'broken' ? 'signature broken' : state
}

const stepWords = {planned: 'planned', intent: 'running', done: 'done', failed: 'failed', unknown: 'outcome unknown', skipped: 'skipped'} as const

export function stepStateWords({kind, state}: Pick<PlaybookStepRun, 'kind' | 'state'>) {
	return kind === 'decision' && state === 'intent' ? 'waiting' : stepWords[state]
}
