/** A program whose definition says what it does, so that tests can generate it; and the world that it changes. */
import type {Outcome, Program, RunContext} from '../types.ts'

export type Node =
	/** A change of the world. So many times nothing happens, and it is tried again. */
	| {kind: 'change'; id: string; fails: number}
	| {kind: 'read'; id: string}
	| {kind: 'sleep'; id: string; ms: number}
	| {kind: 'ask'; id: string; timeoutMs: number | undefined}
	| {kind: 'all'; nodes: readonly Node[]}
	| {kind: 'child'; id: string; nodes: readonly Node[]}

export interface Changes {
	/** Run and step, in order. */
	made: string[]
	tries: Map<string, number>
}

export function newChanges(): Changes {
	return {made: [], tries: new Map()}
}

export function scripted(changes: Changes, alive: <T>(work: () => Promise<T>) => Promise<T>): Program {
	return {
		kind: 'script',
		version: 1,
		run: async context => {
			// Written by the test.
			const nodes = context.definition as readonly Node[]
			const output: unknown[] = []
			for (const node of nodes) output.push(await runNode(context, node, changes, alive))
			return {output}
		}
	}
}

async function runNode(context: RunContext, node: Node, changes: Changes, alive: Parameters<typeof scripted>[1]): Promise<unknown> {
	switch (node.kind) {
		case 'change':
			return await untilChanged(context, node, changes, alive)
		case 'read':
			return await context.step({id: node.id, act: () => alive(async () => 'read')})
		case 'sleep':
			return await context.sleep(node.id, node.ms).then(() => 'slept')
		case 'ask':
			return (await context.decision({id: node.id, timeoutMs: node.timeoutMs}))?.payload ?? null
		case 'all':
			return await context.all(node.nodes.map(one => () => runNode(context, one, changes, alive)))
		case 'child':
			return await context.child({id: node.id, kind: 'script', title: node.id, definition: node.nodes})
	}
}

const changed: Outcome = {phase: 'done', output: 'changed'}

async function untilChanged(context: RunContext, node: Node & {kind: 'change'}, changes: Changes, alive: Parameters<typeof scripted>[1]) {
	const name = `${context.run.id} ${node.id}`
	for (;;) {
		const {phase, output} = await context.perform({
			...{id: node.id, input: node},
			act: () => alive(() => change(changes, name, node.fails)),
			reconcile: () => alive(async () => (changes.made.includes(name) ? changed : {phase: 'not_done'}))
		})
		if (phase === 'done') return output
		await context.rest(1000)
		context.halted.throwIfAborted()
	}
}

async function change({made, tries}: Changes, name: string, fails: number): Promise<Outcome> {
	await new Promise(setImmediate)
	const failed = tries.get(name) ?? 0
	tries.set(name, failed + 1)
	if (failed < fails) return {phase: 'not_done'}
	made.push(name)
	return changed
}

/** Whether this is the output of a run that went well. `answers`: the possible answers of each question. */
export function isExpected(nodes: readonly Node[], output: unknown, answers: ReadonlySet<string>): boolean {
	return Array.isArray(output) && output.length === nodes.length && nodes.every((node, index) => isExpectedOf(node, output[index], answers))
}

function isExpectedOf(node: Node, output: unknown, answers: ReadonlySet<string>) {
	if (node.kind === 'all' || node.kind === 'child') return isExpected(node.nodes, output, answers)
	if (node.kind === 'ask') return output === null ? node.timeoutMs !== undefined : answers.has(String(output))
	return output === {change: 'changed', read: 'read', sleep: 'slept'}[node.kind]
}

/** Names of the changing steps, in their required order unless they are parallel. */
export function changesOf(nodes: readonly Node[]): readonly string[] {
	return nodes.flatMap(node => {
		if (node.kind === 'change') return [node.id]
		return node.kind === 'all' ? changesOf(node.nodes) : []
	})
}
