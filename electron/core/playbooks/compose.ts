/** Makes a document from a playbook written as a list of lines: for the library, and for tests. */
import {hash} from 'node:crypto'

import {ownAddress, type VariableType} from '#model/playbook.ts'

import type {PlaybookDocument, Variable, WorkflowStep} from './document.ts'
import {resultVariable} from './variables.ts'

/** One line: operation, name and arguments. */
export type Line =
	/** Yes or no; with a variable, a text answer. */
	| readonly ['ask', name: string, question: string, into?: string]
	/** A request to Cordon, its JSON, and the variable for the response. */
	| readonly ['do', name: string, request: string, body?: Readonly<Record<string, unknown>>, into?: string]
	| readonly ['if' | 'while', name: string, condition: string, then: readonly Line[], otherwise?: readonly Line[]]
	| readonly ['parallel', name: string, ...branches: (readonly Line[])[]]

export interface Outline {
	readonly name: string
	readonly description: string
	/** Inputs: type, description and default value. */
	readonly inputs: Readonly<Record<string, readonly [type: VariableType, description: string, value?: string]>>
	/** Variables: type and first value. */
	readonly keeps?: Readonly<Record<string, readonly [type: VariableType, value?: string]>>
	readonly labels: readonly string[]
	readonly lines: readonly Line[]
}

const made = '2026-11-23T00:00:00.000Z'

/** Deterministic for the same name. */
function idOf(type: string, name: string) {
	const hex = hash('sha256', name, 'hex')
	return `${type}--${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const agent = idOf('soarca', 'http-api')
const asker = idOf('soarca-manual', 'manual')
const target = idOf('http-api', 'Cordon')
const person = idOf('individual', 'Operator')

export function compose(outline: Outline): PlaybookDocument {
	const {name, description, inputs, keeps = {}, labels, lines} = outline
	const workflow: Record<string, WorkflowStep> = {}
	const start = idOf('start', name)
	const variables: Record<string, Variable> = {[resultVariable]: {type: 'string'}}
	for (const [key, [type, words, value]] of Object.entries(inputs))
		variables[`__${key}__`] = {type, description: words, external: true, ...(value !== undefined && {value})}
	for (const [key, [type, value]] of Object.entries(keeps)) variables[`__${key}__`] = {type, ...(value !== undefined && {value})}
	workflow[start] = {type: 'start', on_completion: sequence(workflow, name, lines)}
	const manual = Object.values(workflow).some(({commands}) => commands?.[0]?.type === 'manual')
	return {
		...{type: 'playbook', spec_version: 'cacao-2.0', id: idOf('playbook', name), name, description, labels},
		...{created_by: idOf('identity', 'Cordon'), created: made, modified: made, workflow_start: start, workflow},
		playbook_variables: variables,
		agent_definitions: {
			[agent]: {type: 'soarca', name: 'soarca-http-api'},
			...(manual && {[asker]: {type: 'soarca-manual', name: 'soarca-manual'}})
		},
		target_definitions: {
			[target]: {type: 'http-api', name: 'Cordon', address: {url: [ownAddress]}},
			...(manual && {[person]: {type: 'individual', name: 'Operator on duty'}})
		}
	}
}

/** Returns the first step of the lines, which end in an end step of their own. */
function sequence(workflow: Record<string, WorkflowStep>, path: string, lines: readonly Line[]) {
	const end = idOf('end', path)
	workflow[end] = {type: 'end'}
	return lines.reduceRight((next, line, index) => add(workflow, `${path}/${index}`, line, next), end)
}

function add(workflow: Record<string, WorkflowStep>, path: string, line: Line, next: string) {
	const step = stepFor(workflow, path, line)
	const id = idOf(step.type, path)
	workflow[id] = {...step, name: line[1], on_completion: next}
	return id
}

function stepFor(workflow: Record<string, WorkflowStep>, path: string, line: Line): WorkflowStep {
	switch (line[0]) {
		case 'ask': {
			const [, , command, into] = line
			const out = into === undefined ? {} : {out_args: [`__${into}__`]}
			return {type: 'action', commands: [{type: 'manual', command}], agent: asker, targets: [person], ...out}
		}
		case 'do': {
			const [, , request, body, into] = line
			const content = body === undefined || Object.keys(body).length === 0 ? {} : {content: JSON.stringify(body)}
			const commands = [{type: 'http-api', command: `${request} HTTP/1.1`, ...content}]
			return {type: 'action', commands, agent, targets: [target], out_args: [into === undefined ? resultVariable : `__${into}__`]}
		}
		case 'parallel': {
			const [, , ...branches] = line
			return {type: 'parallel', next_steps: branches.map((one, index) => sequence(workflow, `${path}-${index}`, one))}
		}
		default: {
			const [kind, , condition, then, otherwise] = line
			const no = otherwise === undefined ? {} : {on_false: sequence(workflow, `${path}-no`, otherwise)}
			return {type: `${kind}-condition`, condition, on_true: sequence(workflow, `${path}-yes`, then), ...no}
		}
	}
}
