/** Generated documents: each is read or refused, gets a verdict that agrees with its issues, and ends. */
import fc from 'fast-check'

import {CordonError} from '#contract/errors.ts'

import type {StepRow} from '#core/engine/port.ts'
import type {PlaybookDocument, WorkflowStep} from './document.ts'
import {interpret, type Hands, type Operations} from './interpreter.ts'
import {library} from './library.ts'
import {checkPlaybook, readPlaybook} from './validate.ts'

const [frame] = library()
const documents = library().map(one => JSON.stringify(one))

async function isJudged(text: string) {
	let document: Readonly<Record<string, unknown>>
	try {
		document = readPlaybook(text)
	} catch (error) {
		expect(error).toBeInstanceOf(CordonError)
		return
	}
	const {valid, runnable, issues} = await checkPlaybook(document)
	expect(valid).toBe(issues.every(({level}) => level !== 'error'))
	expect(runnable && issues.some(({level}) => level === 'refused')).toBe(false)
	for (const {message, fix} of issues) expect([message, fix].every(one => one !== '')).toBe(true)
}

/** Replaces, removes or duplicates one place of a library document. */
const changed = fc
	.record({text: fc.constantFrom(...documents), at: fc.nat(), by: fc.option(fc.jsonValue()), from: fc.nat()})
	.map(({text, at, by, from}) => {
		const document: unknown = JSON.parse(text)
		const places = placesIn(document)
		const [holder, key] = places[at % places.length] ?? [{}, '']
		const [other, name] = places[from % places.length] ?? [{}, '']
		if (by === null) Reflect.deleteProperty(holder, key)
		else Reflect.set(holder, key, at % 2 === 0 ? by : structuredClone(Reflect.get(other, name)))
		return JSON.stringify(document)
	})

function placesIn(value: unknown): [holder: object, key: string][] {
	if (typeof value !== 'object' || value === null) return []
	return Object.entries(value).flatMap(([key, inner]) => [[value, key] as const, ...placesIn(inner)])
}

test.each([
	['a text', fc.string(), 200],
	['a JSON value', fc.json(), 200],
	['a changed playbook of the library', changed, 300]
] as const)('%s never crashes the check', async (_name, made, numRuns) => {
	await fc.assert(fc.asyncProperty(made as fc.Arbitrary<string>, isJudged), {numRuns, seed: 15})
})

const types = ['action', 'if-condition', 'while-condition', 'switch-condition', 'parallel', 'playbook-action'] as const
const [most, uuid] = [7, (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`]
const idOf = (kinds: (typeof types)[number][], index: number) =>
	index < kinds.length ? `${kinds[index] ?? 'end'}--${uuid(index)}` : `end--${uuid(index)}`

/** Steps that lead anywhere, also in cycles and to themselves. */
const tangle = fc
	.record({
		kinds: fc.array(fc.constantFrom(...types), {minLength: 1, maxLength: most}),
		to: fc.array(fc.nat(most + 1), {minLength: 5 * most, maxLength: 5 * most}),
		conditions: fc.array(fc.constantFrom("__computer__:value = 'x'", "__reason__:value != ''"), {minLength: most, maxLength: most})
	})
	.map(({kinds, to, conditions}) => {
		const workflow: Record<string, WorkflowStep> = {[`start--${uuid(99)}`]: {type: 'start', on_completion: idOf(kinds, 0)}}
		for (let end = kinds.length; end <= most + 1; end += 1) workflow[idOf(kinds, end)] = {type: 'end'}
		for (const [index, type] of kinds.entries()) {
			const [next = '', yes = '', no = '', other = '', failed = ''] = to.slice(5 * index).map(one => idOf(kinds, one))
			const leads = {on_success: next, ...(failed < next && {on_failure: failed})}
			const action = Object.values(frame?.workflow ?? {}).find(step => step.type === 'action')
			workflow[idOf(kinds, index)] = {
				...{...(type === 'action' && {...action, on_completion: undefined}), ...leads, type, condition: conditions[index]},
				...{on_true: yes, on_false: no, next_steps: [yes, no, other], switch: '__reason__:value', cases: {x: yes, default: no}},
				playbook_id: frame?.id
			} as unknown as WorkflowStep
		}
		return {...frame, workflow_start: `start--${uuid(99)}`, workflow} as PlaybookDocument
	})

test.each([
	['a changed playbook of the library', changed.map(text => JSON.parse(text) as PlaybookDocument), 300],
	['a tangle of steps', tangle, 80]
] as const)('%s never hangs the interpreter, checked or not', async (_name, made, numRuns) => {
	const answers = fc.array(fc.constantFrom('yes', '', 'x', 'approved', 'denied', 'pending', null), {minLength: 1, maxLength: 9})
	await fc.assert(
		fc.asyncProperty(made as fc.Arbitrary<PlaybookDocument>, answers, async (document, told) => {
			let asked = 0
			const next = () => told[(asked += 1) % told.length] ?? null
			const [{signal}, row] = [new AbortController(), {phase: 'done'} as StepRow]
			const operations: Operations = {
				...{halted: signal, over: signal, sleep: async () => {}},
				perform: async ({label = ''}) => ({...row, label, output: next(), phase: next() === null ? 'failed' : 'done'}),
				decision: async () => ({payload: {answer: next() ?? 'no', by: 'kim', reason: null}, at: 0}),
				child: async () => ({variables: {}}),
				all: branches => Promise.all(branches.map(branch => branch()))
			}
			const pinned = {document, digest: '', variables: document.playbook_variables ?? {}, connection: '', incident: null}
			const hands = {pin: () => pinned} as unknown as Hands // everything else goes through the operations
			const ended = interpret(operations, {...pinned, others: {[document.id]: document}}, hands)
			await ended.catch(error => expect(error).toBeInstanceOf(Error))
			expect(asked).toBeLessThan(100_000)
		}),
		{numRuns, seed: 15}
	)
})
