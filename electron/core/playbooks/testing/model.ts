/**
 * Generated playbooks on the sandbox, under random weather, with kills and approvals. A second reading of the outline,
 * independent of interpreter and engine, gives the expected result.
 */
import {hash} from 'node:crypto'

import fc from 'fast-check'

import {fieldOf} from '#sandbox/testing/running.ts'

import {CordonError} from '#contract/errors.ts'
import {approvalExtension} from '#model/playbook-document.ts'
import type {PlaybookRunDetail} from '#model/playbook.ts'

import {openBench, type Bench} from '#core/actions/commands/testing/bench.ts'
import {approvalSignal} from '#core/approvals/approvals.ts'
import {openMachine, type Machine} from '#core/engine/testing/process.ts'
import {compose, type Line} from '../compose.ts'
import type {PlaybookDocument, WorkflowStep} from '../document.ts'
import {turns, until} from '#base/testing/until.ts'
import {openPlaybooks} from '../playbooks.ts'

type Verdict = 'approved' | 'denied' | 'timed_out'

type Leaf = {kind: 'isolate' | 'block' | 'read'; id: string} | {kind: 'ask'; id: string; verdict: Verdict; leads: boolean}

type Node =
	| Leaf
	| {kind: 'if'; id: string; yes: boolean; on: readonly Leaf[]; no: readonly Leaf[]}
	| {kind: 'loop'; id: string; body: readonly Leaf[]}
	| {kind: 'all'; id: string; branches: readonly (readonly Leaf[])[]}

interface Scene {
	nodes: readonly Node[]
	/** Each change also waits for its own approval. */
	proposes: boolean
	chaos: readonly Chaos[]
}

type Chaos =
	| {kind: 'kill'; moment: 'before' | 'after'; write: number}
	| {kind: 'weather'; rules: readonly string[]}
	| {kind: 'answer' | 'turns'; turns: number}

let ids = 0
const id = fc.constant(null).map(() => `n${(ids += 1)}`)
const kind = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds)
const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({weight, arbitrary})
const act = fc.record({kind: kind('isolate', 'block', 'block', 'read'), id})
const verdict = fc.constantFrom<Verdict>('approved', 'approved', 'approved', 'denied', 'timed_out')
const ask = fc.record({kind: kind('ask'), id, verdict, leads: fc.boolean()})
const leaves = fc.array(fc.oneof(often(3, act), often(2, ask)), {maxLength: 3})
const node = fc.oneof(
	often<Node>(4, act),
	often(3, ask),
	often(1, fc.record({kind: kind('if'), id, yes: fc.boolean(), on: leaves, no: leaves})),
	often(1, fc.record({kind: kind('loop'), id, body: fc.array(act, {minLength: 1, maxLength: 2})})),
	often(1, fc.record({kind: kind('all'), id, branches: fc.array(leaves, {minLength: 2, maxLength: 3})}))
)
const rule = fc.constantFrom(
	...['PUT *=drop,times:1', 'POST *=drop,times:2', 'PUT *=truncate,times:1', '* *=503,p:0.3', '* *=reset,p:0.3'],
	...['* *=429:5,p:0.3', 'POST *=malformed,times:1', 'PUT *=empty,times:1', 'GET *=html:502,p:0.3', '* *=errors,p:0.3']
)
const chaos = fc.oneof(
	often<Chaos>(3, fc.record({kind: kind('kill'), moment: kind('before', 'after'), write: fc.nat(12)})),
	often(2, fc.record({kind: kind('weather'), rules: fc.array(rule, {maxLength: 2})})),
	often(3, fc.record({kind: kind('answer', 'turns'), turns: fc.nat(200)}))
)

const scene: fc.Arbitrary<Scene> = fc.record({
	nodes: fc.array(node, {minLength: 2, maxLength: 6}),
	proposes: fc.boolean(),
	chaos: fc.array(chaos, {maxLength: 8})
})

/** The expected result: each change with the approvals it needs, in the terms of the outline. */
interface Expected {
	changes: Map<string, readonly string[]>
	isDone: boolean
}

function expectedOf(nodes: readonly Node[]) {
	const expected: Expected = {changes: new Map(), isDone: true}
	const walk = (list: readonly Node[], before: readonly string[]) => {
		let gates = before
		for (const one of list) {
			if (one.kind === 'isolate' || one.kind === 'block') expected.changes.set(one.id, gates)
			if (one.kind === 'loop') walk(one.body, gates)
			if (one.kind === 'if' && !walk(one.yes ? one.on : one.no, gates)) return false
			// Branches do not end each other.
			if (one.kind === 'all' && one.branches.map(branch => walk(branch, gates)).includes(false)) return false
			if (one.kind !== 'ask') continue
			if (one.verdict === 'approved') gates = gates.concat(one.id)
			else if (one.verdict === 'timed_out' && one.leads) return expected.changes.set(`${one.id}late`, gates).size > 0
			else return false
		}
		return true
	}
	expected.isDone = walk(nodes, [])
	return expected
}

function documentOf({nodes}: Scene, {list, hosts}: Grounds) {
	const keeps: Record<string, readonly ['string', string]> = {}
	const block = (name: string): Line => {
		const path = `/file-lists/${list}/files/${hashOf(name)}`
		return ['do', name, `PUT ${path}`, {reason: 'r', description: name}]
	}
	const lineOf = (one: Node): Line => {
		switch (one.kind) {
			case 'isolate':
				return ['do', one.id, `PUT /computers/${hosts(one.id)}/isolation`, {comment: one.id}]
			case 'block':
				return block(one.id)
			case 'read':
				return ['do', one.id, 'GET /version']
			case 'ask':
				return ['ask', one.id, `${one.id}?`]
			case 'if':
				keeps[one.id] = ['string', one.yes ? 'yes' : 'no']
				return ['if', one.id, `__${one.id}__:value = yes`, one.on.map(lineOf), one.no.map(lineOf)]
			case 'all':
				return ['parallel', one.id, ...one.branches.map(branch => branch.map(lineOf))]
			case 'loop': {
				// Twice: each round fills one variable.
				const [first, second] = [`${one.id}a`, `${one.id}b`]
				for (const key of [first, second]) keeps[key] = ['string', '']
				const fill = (into: string): Line => ['do', into, 'GET /version', {}, into]
				const turn: Line = ['if', `${one.id} turn`, `__${first}__:value = ''`, [fill(first)], [fill(second)]]
				return ['while', one.id, `__${second}__:value = ''`, [...one.body.map(lineOf), turn]]
			}
		}
	}
	const name = `Made up ${nodes.map(one => one.id).join(' ')}`
	const document = compose({name, description: name, labels: ['drill'], inputs: {}, keeps, lines: nodes.map(lineOf)})
	const leading = asksIn(nodes).filter(one => one.verdict === 'timed_out' && one.leads)
	const lines = leading.map(one => block(`${one.id}late`))
	return withTerms(document, asksIn(nodes), compose({name: `${name} late`, description: '', labels: [], inputs: {}, lines}))
}

type Ask = Extract<Leaf, {kind: 'ask'}>

function asksIn(nodes: readonly Node[]): readonly Ask[] {
	return nodes.flatMap(one => {
		if (one.kind === 'ask') return [one]
		if (one.kind === 'if') return asksIn([...one.on, ...one.no])
		return one.kind === 'all' ? asksIn(one.branches.flat()) : []
	})
}

/** Questions become approvals; a time-out branch leads to its own change and end. */
function withTerms(document: PlaybookDocument, asks: readonly Ask[], late: PlaybookDocument): PlaybookDocument {
	const workflow: Record<string, WorkflowStep> = {...document.workflow}
	for (const [key, step] of Object.entries(document.workflow)) {
		const asked = asks.find(one => one.id === step.name)
		if (asked === undefined) continue
		const [other, change] = Object.entries(late.workflow).find(([, {name}]) => name === `${asked.id}late`) ?? []
		const terms = {requester_may: true, ...(other !== undefined && {on_timeout: other})}
		const timeout = asked.verdict === 'timed_out' ? {timeout: 1000} : {}
		workflow[key] = {...step, ...timeout, step_extensions: {[approvalExtension]: terms}}
		if (other === undefined || change === undefined) continue
		const end = other.replace('action--', 'end--')
		workflow[other] = {...change, on_completion: end}
		workflow[end] = {type: 'end'}
	}
	return {...document, workflow}
}

const hashOf = (text: string) => hash('sha256', text, 'hex')

interface Grounds {
	bench: Bench
	machine: Machine
	list: string
	hosts(id: string): string
	weather(rules: readonly string[]): void
	verdicts: ReadonlyMap<string, Verdict>
	/** Number of requests received when an approval was given, by its ID. */
	answeredAt: Map<string, number>
}

function open({bench, machine}: Grounds) {
	const life = machine.start([])
	const {connections, log, database, approvals} = bench.profile
	const playbooks = openPlaybooks({
		...{runs: life, connections, log, database: () => database, clock: bench.ports.clock, operator: 'kim', approvals},
		...{library: () => [], onTrouble: () => undefined},
		runner: {run: ({name, args, ...more}) => life.alive(() => bench.run(name, args, more)), foresee: async () => false}
	})
	approvals.wakeWith(async (run, approval) => void (await life.signal(run, approvalSignal(approval))))
	return {life, playbooks}
}

/** Work of a process that may be dead or without its service. */
async function tolerated(work: Promise<unknown>) {
	const done = work.catch((error: unknown) => {
		if (!(error instanceof CordonError) || error.code === 'internal') throw error
	})
	await Promise.race([done, turns(50)])
	done.catch(() => {})
}

/** Answers like a person at the inbox, as the scene says. */
async function answerAll({bench, verdicts, answeredAt}: Grounds) {
	const {approvals} = bench.profile
	for (const {id: approval, title} of approvals.list(['pending'])) {
		const wanted = verdicts.get(title.split(': ').at(-1) ?? '') ?? 'approved'
		if (wanted === 'timed_out') continue
		answeredAt.set(approval, bench.sandbox.requests.length)
		await tolerated(approvals.answer({id: approval, verdict: wanted, reason: 'Seen', surface: 'screen'}))
	}
}

export interface Played {
	bench: Bench
	run: PlaybookRunDetail
	expected: Expected
	answeredAt: ReadonlyMap<string, number>
	killed: number
	/** Path of the request for the change of this ID. */
	pathOf(id: string): string
}

/**
 * Carries the scene to its end: at last the weather is fair, processes live, failed steps are retried, and questions answered.
 */
async function play(one: Scene, look: (played: Played) => Promise<void>) {
	const bench = await openBench({computers: 60, seed: 'model', agentDelayMs: 20, quota: 1_000_000})
	const {computers, lists} = fieldOf(bench.sandbox)
	const machine = openMachine(bench.profile.runs, bench.ports.clock)
	try {
		const taken = new Map<string, string>()
		const grounds: Grounds = {
			...{bench, machine, list: lists.at(-1) ?? '', answeredAt: new Map()},
			hosts: name => {
				const guid = taken.get(name) ?? computers[taken.size] ?? ''
				taken.set(name, guid)
				return guid
			},
			weather: rules => void bench.sandbox.weather.set([...rules]),
			verdicts: new Map(asksIn(one.nodes).map(asked => [asked.id, asked.verdict]))
		}
		const document = documentOf(one, grounds)
		const {run, killed} = await carryOut(grounds, document, one)
		const pathOf = (name: string) => (taken.has(name) ? `/computers/${taken.get(name)}/isolation` : `/files/${hashOf(name)}`)
		const {answeredAt} = grounds
		await look({bench, run, expected: expectedOf(one.nodes), answeredAt, killed, pathOf})
	} finally {
		await machine.stop()
		await bench.close()
	}
}

async function carryOut(grounds: Grounds, document: PlaybookDocument, {proposes, chaos: moments}: Scene) {
	const {bench} = grounds
	let process = open(grounds)
	let killed = 0
	await process.playbooks.add(JSON.stringify(document))
	const anew = async () => {
		process.life.kill()
		killed += 1
		await until('the end of its requests', () => bench.running() === 0)
		process = open(grounds)
		await tolerated(process.life.recover())
	}
	const {id: run} = await process.playbooks.start({playbook: document.id, variables: {}, proposes})
	for (const moment of moments) {
		if (moment.kind === 'weather') grounds.weather(moment.rules)
		else if (moment.kind === 'answer') await answerAll(grounds)
		if (moment.kind !== 'kill') await turns('turns' in moment ? moment.turns : 20)
		else {
			let left = moment.write
			const dead = process.life.killAt(moment.moment, () => (left -= 1) < 0).then(() => true)
			await Promise.race([dead, turns(300)])
			await anew()
		}
	}
	grounds.weather([])
	for (let round = 0; round < 200; round += 1) {
		const detail = await process.playbooks.run(run)
		if (detail.state === 'interrupted') await tolerated(process.playbooks.resume(run))
		else if (detail.endedAt !== null && detail.failed.length === 0) return {run: detail, killed}
		else if (detail.endedAt !== null) {
			const again = detail.steps.filter(({id: step, error}) => detail.failed.includes(step) && error?.code !== 'approval_denied')
			if (again.length === 0) return {run: detail, killed}
			for (const {id: step} of again) await tolerated(process.playbooks.retry(run, step))
		}
		await answerAll(grounds)
		await turns(50)
	}
	throw new Error(`It never ended: ${JSON.stringify(await process.playbooks.run(run))}`)
}

/** Deviations from the expected result, in words. */
async function faultsOf({bench, run, expected, answeredAt, pathOf}: Played) {
	const faults: string[] = []
	const {requests} = bench.sandbox
	const sent = requests.map(({method, path, status = 0}, index) => ({method, path, status, index}))
	const changes = sent.filter(({method}) => method !== 'GET' && method !== 'OPTIONS')
	const entries = await bench.profile.log.query({surface: 'playbook', limit: 5000}).then(found => found.entries.toReversed())
	const state = expected.isDone ? 'completed' : 'failed'
	if (run.state !== state) faults.push(`The run is ${run.state}, not ${state}: ${run.because}`)
	for (const change of changes)
		if (![...expected.changes.keys()].some(one => change.path.includes(pathOf(one)))) faults.push(`Not expected: ${change.path}`)
	for (const [name, gates] of expected.changes) {
		const own = changes.filter(({path}) => path.includes(pathOf(name)))
		if (own.filter(({status}) => status > 0 && status < 300).length > 1) faults.push(`${name} was made twice.`)
		const intent = entries.find(
			({kind, data, args, target}) =>
				kind === 'command.requested' && data?.['run'] === run.id && pathOf(name).includes(String(args?.['sha256'] ?? target?.guid))
		)
		if (intent === undefined) faults.push(`The log does not tell of ${name}.`)
		else if (!entries.some(({about}) => about === intent.id)) faults.push(`The log tells no outcome of ${name}.`)
		for (const gate of gates) {
			const approval = bench.profile.approvals.list().find(({title}) => title.endsWith(`: ${gate}`))
			const at = answeredAt.get(approval?.id ?? '')
			if (at === undefined || own.some(({index}) => index < at)) faults.push(`${name} was sent before ${gate} was approved.`)
		}
	}
	const told = entries.filter(({kind, data}) => kind === 'note' && data?.['run'] === run.id).map(({message}) => message)
	if (told.filter(message => message.startsWith('Playbook started')).length !== 1) faults.push(`Started: ${told.join()}`)
	if (!told.at(-1)?.startsWith(`Playbook ${state}`)) faults.push(`The log ends with: ${told.join(' | ')}`)
	return faults
}

const deny = {kind: 'ask', id: 'x2', verdict: 'denied', leads: false} as const
/** Scenes that failed once. */
const found: readonly Scene[] = [
	{
		nodes: [
			{
				kind: 'all',
				id: 'x1',
				branches: [
					[deny],
					[
						{kind: 'block', id: 'x3'},
						{kind: 'isolate', id: 'x4'}
					]
				]
			}
		],
		proposes: false,
		chaos: [{kind: 'weather', rules: ['POST *=status:400']}, ...(['turns', 'answer', 'turns'] as const).map(one => ({kind: one, turns: 200}))]
	},
	// Killed when its end was stored but not yet logged.
	{nodes: [{kind: 'block', id: 'y1'}], proposes: false, chaos: [{kind: 'kill', moment: 'after', write: 2}]}
]

/** Throws with the smallest failing scene. */
export async function playMany(numRuns: number, seen: (played: Played) => void) {
	const property = fc.asyncProperty(scene, one =>
		play(one, async played => {
			const faults = await faultsOf(played)
			if (faults.length > 0) throw new Error(faults.join('\n'))
			seen(played)
		})
	)
	await fc.assert(property, {numRuns, examples: found.map(one => [one])})
}
