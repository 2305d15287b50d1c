import {testFolder} from '#base/testing/folder.ts'
import {computed} from '#base/testing/cpu.ts'

import {controls, type NewRun, type Op, type OpResults, type RunStore, type StepRow} from './port.ts'
import {inThread} from '#core/store/async.ts'
import {watchPlans} from '#core/store/testing/plans.ts'
import {openRunRepository} from './sqlite.ts'

const all = {offset: 0, limit: 9}
const owner = {pid: 1, started: 'one'}
const other = {pid: 2, started: 'two'}

function newRun(id: string, change: Partial<NewRun> = {}): NewRun {
	return {
		...{id, kind: 'drill', version: 1, subject: 'c1', title: `Run ${id}`, startedAt: 1000, startedBy: 'kim'},
		...{input: {a: [1, 'x', null]}, phase: null, facts: {}, parent: null, key: null, definition: null, owner},
		...change
	}
}

function step(id: string, change: Partial<StepRow> = {}): StepRow {
	return {
		...{id, position: 0, kind: 'step', label: id, phase: 'intent', tag: 'intent', attempt: 1, input: null},
		...{digest: null, output: null, error: null, past: [], begunAt: 5, endedAt: null, due: null},
		...change
	}
}

const held = (run: string, epoch = 1) => ({run, epoch, at: 2000})
const claim = (...of: Parameters<typeof held>) => ({kind: 'claim', ...held(...of), owner: other}) as const

describe('a store', () => {
	let store: RunStore

	beforeEach(() => void (store = inThread(openRunRepository(testFolder()))))
	afterEach(() => store.close())

	async function apply<const T extends Op[]>(...ops: T) {
		return (await store.apply(ops)) as {[K in keyof T]: T[K] extends Op ? OpResults[T[K]['kind']] : never}
	}

	const begin = (run: NewRun, more: Partial<Extract<Op, {kind: 'begin'}>> = {}): Op => ({
		...{kind: 'begin', run, steps: [], draft: null, under: null},
		...more
	})

	const begun = (...ids: readonly string[]) => store.apply(ids.map(id => begin(newRun(id))))

	const signal = (run: string, name: string, more: Partial<Extract<Op, {kind: 'signal'}>> = {}) =>
		({kind: 'signal', run, name, payload: null, id: null, at: 3000, reopens: false, ...more}) as const

	test('stores a new run with its planned steps and its definition', async () => {
		const definition = {digest: 'abc', body: {steps: ['one']}}
		const steps = [{id: 's1', label: 'First', input: {n: 1}, tag: 'waiting'}]
		expect(await apply(begin(newRun('r1', {definition}), {steps}))).toEqual([{begun: true}])
		expect(await store.run('r1')).toEqual({
			...{id: 'r1', kind: 'drill', version: 1, subject: 'c1', title: 'Run r1', startedAt: 1000, startedBy: 'kim'},
			...{endedAt: null, state: 'open', phase: null, because: null, facts: {}, definition: 'abc', failed: []},
			...{paused: false, cancels: 0, owner, epoch: 1, aliveAt: 1000, begun: false, parent: null, key: null},
			...{tally: null, input: {a: [1, 'x', null]}, output: null}
		})
		expect(await store.definition('abc')).toEqual({steps: ['one']})
		expect((await store.steps({run: 'r1', ...all})).rows).toEqual([
			{...step('s1'), run: 'r1', label: 'First', phase: 'planned', tag: 'waiting', attempt: 0, input: {n: 1}, begunAt: null}
		])
		expect(await store.run('r2')).toBeUndefined()
	})

	test('begins one run of each id and of each key', async () => {
		await apply(begin(newRun('r1', {key: 'k'})))
		expect(await apply(begin(newRun('r1')), begin(newRun('r2', {key: 'k'})), begin(newRun('r3')))).toEqual([
			{taken: 'r1'},
			{taken: 'r1'},
			{begun: true}
		])
	})

	test('removes a draft when its run begins, and restores it when the run is withdrawn', async () => {
		const draft = {id: 'd1', kind: 'drill', subject: 'c1', keptAt: 10, body: {plan: 1}}
		await apply({kind: 'draft', draft, keptSince: 0})
		expect(await store.draft('d1')).toEqual(draft)
		await apply(begin(newRun('d1'), {draft: 'd1'}))
		expect(await store.draft('d1')).toBeUndefined()
		expect(await apply({kind: 'withdraw', ...held('d1'), draft})).toEqual([{paused: false, cancels: 0}])
		expect(await store.run('d1')).toBeUndefined()
		expect(await store.draft('d1')).toEqual(draft)
		await apply({kind: 'draft', draft: {...draft, id: 'd2', keptAt: 99}, keptSince: 50})
		expect([await store.draft('d1'), (await store.draft('d2'))?.keptAt]).toEqual([undefined, 99])
	})

	test('does not withdraw a run that began', async () => {
		await apply(begin(newRun('r1')), {kind: 'change', ...held('r1'), change: {begun: true}, durable: true})
		await apply({kind: 'withdraw', ...held('r1'), draft: null})
		expect((await store.run('r1'))?.begun).toBe(true)
	})

	test('lets one of two claim a run, and refuses every write of the former owner', async () => {
		await begun('r1')
		expect(await apply(claim('r1'), claim('r1'))).toEqual([2, null])
		expect(await store.run('r1')).toMatchObject({owner: other, epoch: 2, aliveAt: 2000})
		expect(
			await apply(
				{kind: 'steps', ...held('r1'), steps: [step('s1')], takes: null, durable: true},
				{kind: 'change', ...held('r1'), change: {phase: 'late'}, durable: true},
				{kind: 'decide', ...held('r1'), step: step('s1'), name: 'x', late: true},
				{kind: 'release', ...held('r1')},
				{kind: 'withdraw', ...held('r1'), draft: null},
				begin(newRun('child'), {under: {...held('r1'), step: step('s1'), takes: null}})
			)
		).toEqual([null, null, null, null, null, {lost: true}])
		expect(await store.run('r1')).toMatchObject({owner: other, phase: null})
		expect((await store.steps(all)).rows).toEqual([])
		expect(await store.run('child')).toBeUndefined()
	})

	test('is not claimed once it has ended, and opens what was held', async () => {
		await begun('r1', 'r2')
		await apply(
			{kind: 'change', ...held('r1'), change: {state: 'done', endedAt: 9, output: [1], tally: {done: 2}}, durable: true},
			{kind: 'change', ...held('r2'), change: {state: 'held', because: 'No way.'}, durable: true},
			{kind: 'release', ...held('r2')}
		)
		expect((await store.run('r2'))?.owner).toBeNull()
		const [first, second] = await apply(claim('r1'), claim('r2'))
		expect([first, second]).toEqual([null, 2])
		expect(await store.run('r1')).toMatchObject({state: 'done', endedAt: 9, output: [1], tally: {done: 2}})
		expect(await store.run('r2')).toMatchObject({state: 'open', because: null})
	})

	test('replaces whole rows of the journal, and reports pauses and cancels with each write', async () => {
		await begun('r1')
		const write = (row: StepRow) => ({kind: 'steps', ...held('r1'), steps: [row], takes: null, durable: false}) as const
		expect(await apply(write(step('s1')))).toEqual([{paused: false, cancels: 0}])
		await apply(signal('r1', controls.pause), signal('r1', controls.cancel, {payload: 1}))
		const ended = step('s1', {
			...{phase: 'failed', tag: 'failed', output: {x: 1}, error: {code: 'not_found', message: 'Gone.'}},
			...{past: [{attempt: 1, phase: 'failed', error: null, begunAt: 1, endedAt: 2}], endedAt: 7, due: 8, attempt: 2}
		})
		expect(await apply(write(ended))).toEqual([{paused: true, cancels: 1}])
		expect((await store.steps({run: 'r1', ...all})).rows).toEqual([{...ended, run: 'r1'}])
		await apply(signal('r1', controls.resume), signal('r1', controls.cancel, {payload: 2}))
		expect(await apply(signal('r1', controls.cancel, {payload: 1}), write(ended))).toEqual(['kept', {paused: false, cancels: 2}])
		expect((await store.pending('r1'))?.signals).toEqual([])
	})

	test('keeps signals until a step takes them, in their order and each once', async () => {
		await begun('r1')
		expect(
			await apply(
				signal('r1', 'go', {payload: 'early', id: 'a'}),
				signal('r1', 'go', {payload: 'again', id: 'a'}),
				signal('r1', 'go', {payload: 'second'}),
				signal('none', 'go')
			)
		).toEqual(['kept', 'duplicate', 'kept', 'no_run'])
		const decide = (id: string, late = false) => ({kind: 'decide', ...held('r1'), step: step(id, {kind: 'decision'}), name: 'go', late}) as const
		const [first] = await apply(decide('d1'))
		expect(first).toMatchObject({taken: {payload: 'early', at: 3000}, late: false})
		expect(await apply(decide('d2', true), decide('d3'), decide('d4', true))).toMatchObject([
			{taken: {payload: 'second'}, late: false},
			{taken: null, late: false},
			{taken: null, late: true}
		])
		const {rows} = await store.steps({run: 'r1', ...all})
		expect(rows.map(({id, phase, tag, output}) => [id, phase, tag, output])).toEqual([
			['d1', 'done', 'answered', {payload: 'early', at: 3000}],
			['d2', 'done', 'answered', {payload: 'second', at: 3000}],
			['d3', 'intent', 'intent', null],
			['d4', 'done', 'timed_out', null]
		])
		const outline = rows.map(({id, label, kind, phase, attempt}) => ({id, label, kind, phase, attempt}))
		expect(await store.outline('r1')).toEqual(outline)
		expect(await store.outline('r2')).toEqual([])
	})

	test('does nothing to another run', async () => {
		const drafts = ['a', 'b'].map(id => ({id, kind: 'drill', subject: null, keptAt: 10, body: id}))
		for (const draft of drafts) await apply({kind: 'draft', draft, keptSince: 10})
		const of = (digest: string) => newRun(digest, {definition: {digest, body: digest}})
		await apply(begin(of('a')), begin(of('b'), {draft: 'b'}), claim('a'))
		expect([await store.draft('a'), await store.definition('b')]).toEqual([drafts[0], 'b'])
		const end = (run: string, epoch: number, state: 'done' | 'failed') =>
			({kind: 'change', ...held(run, epoch), change: {state, endedAt: 9}, durable: true}) as const
		const go = {kind: 'decide', ...held('b'), step: step('s'), name: 'go', late: false} as const
		const others = [signal('b', 'other'), signal('b', controls.pause), signal('b', controls.cancel, {payload: 2})]
		expect(
			await apply(signal('a', 'go', {payload: 'a'}), ...others, signal('b', 'go', {payload: 'b'}), go, {kind: 'release', ...held('b')})
		).toMatchObject([...Array.from({length: 5}, () => 'kept'), {taken: {payload: 'b'}}, {paused: true, cancels: 2}])
		expect(await store.run('a')).toMatchObject({owner: other, paused: false, cancels: 0})
		expect(await store.pending('a')).toMatchObject({epoch: 2, paused: false, cancels: 0, signals: [{payload: 'a'}]})
		expect(await store.pending('b')).toMatchObject({epoch: 1, paused: true, cancels: 2, signals: [{name: 'other'}]})
		expect(await apply(end('b', 2, 'done'), end('a', 2, 'done'), end('b', 1, 'failed'))).toMatchObject([null, {}, {}])
		await apply(signal('b', 'retry', {reopens: true}))
		expect([(await store.run('a'))?.state, (await store.run('b'))?.state]).toEqual(['done', 'open'])
	})

	test('uses up a signal with the row that answers it, also with the begin of another run', async () => {
		await apply(begin(newRun('r1')), signal('r1', 'retry'), signal('r1', 'retry'))
		const [first, second] = (await store.pending('r1'))?.signals ?? []
		await apply({kind: 'steps', ...held('r1'), steps: [step('s1')], takes: first?.seq ?? 0, durable: true})
		expect((await store.pending('r1'))?.signals).toEqual([second])
		const under = {...held('r1'), step: step('s2', {position: 1}), takes: second?.seq ?? 0}
		await apply(begin(newRun('child', {parent: {run: 'r1', step: 's2'}}), {under}))
		expect(await store.pending('r1')).toEqual({epoch: 1, paused: false, cancels: 0, signals: []})
		expect((await store.steps({run: 'r1', ids: ['s2'], ...all})).rows).toHaveLength(1)
		expect((await store.runs({parent: 'r1', ...all})).rows.map(({id}) => id)).toEqual(['child'])
	})

	test('refuses signals to a run that has ended, and opens a failed one that is answered', async () => {
		await begun('r1', 'r2')
		await apply(
			{kind: 'change', ...held('r1'), change: {state: 'done', endedAt: 9}, durable: true},
			{...{kind: 'change', ...held('r2'), durable: true}, change: {state: 'failed', endedAt: 9, because: 'No.', failed: ['s1'], tally: {}}}
		)
		// An ended run has no owner, even when its process is killed right then.
		expect([(await store.run('r1'))?.owner, (await store.run('r2'))?.owner]).toEqual([null, null])
		expect(
			await apply(
				signal('r1', 'go', {reopens: true}),
				signal('r2', 'go'),
				signal('r2', 'retry', {reopens: true, id: 'x'}),
				signal('r2', 'retry', {reopens: true, id: 'x'})
			)
		).toEqual(['ended', 'ended', 'kept', 'duplicate'])
		expect(await store.run('r2')).toMatchObject({state: 'open', endedAt: null, because: null, failed: [], tally: null})
	})

	test('finds runs by kind and state, newest first, with their number', async () => {
		const runs = ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
			newRun(id, {
				startedAt: 1000 + index,
				kind: index % 2 === 0 ? 'drill' : 'job',
				subject: index < 2 ? 'c1' : 'c2',
				title: id === 'd' ? '100% Büro_%' : `Contain ${id}`
			})
		)
		await apply(...runs.map(run => begin(run)))
		const found = async (query: Omit<Parameters<RunStore['runs']>[0], 'offset' | 'limit'>, offset = 0, limit = 10) => {
			const {rows, matching} = await store.runs({...query, offset, limit})
			return [rows.map(({id}) => id).join(''), matching]
		}
		expect(await found({})).toEqual(['edcba', 5])
		expect(await found({}, 1, 2)).toEqual(['dc', 5])
		expect(await found({}, 9, 2)).toEqual(['', 5])
		expect(await found({kind: 'job'})).toEqual(['db', 2])
		expect(await found({subject: 'c2', kind: 'drill'})).toEqual(['ec', 2])
		expect(await found({from: 1001})).toEqual(['edcb', 4])
		expect(await found({search: 'CONTAIN'})).toEqual(['ecba', 4])
		expect(await found({search: '_%'})).toEqual(['d', 1])
		const plans = watchPlans()
		expect(await found({states: ['open'], kind: 'drill', subject: 'c1'})).toEqual(['a', 1])
		// Not among all that ended.
		expect(plans[0]).toContain('INDEX run_open (state=?)')
		expect(await found({states: ['open']})).toEqual(['edcba', 5])
		expect(await found({states: []})).toEqual(['', 0])
		const ends = ['b', 'e'].map(id => ({kind: 'change', ...held(id), change: {endedAt: 9}, durable: true}) as const)
		await apply(...ends)
		expect(await found({openFirst: true}, 1, 3)).toEqual(['cae', 5])
		for (const [at, facts] of [{playbook: 'p'}, {playbook: 'q'}, {playbook: 'p'}].entries())
			await apply(begin(newRun(`${at}`, {startedAt: at, kind: 'playbook', facts})))
		const last = plans.length
		expect(await found({kind: 'playbook', last: true})).toEqual(['21', 2])
		expect(plans[last]).toContain('COVERING INDEX run_playbook')
	})

	test('finds and counts steps by state', async () => {
		const steps = ['x', 'y', 'z'].map(id => ({id, label: `Host ${id}`, input: null, tag: id === 'z' ? 'late' : 'waiting'}))
		await apply(begin(newRun('r1'), {steps}), begin(newRun('r2')))
		const {rows, matching} = await store.steps({run: 'r1', tags: ['waiting'], offset: 1, limit: 1})
		expect([rows.map(({id}) => id), matching]).toEqual([['y'], 2])
		expect((await store.steps({run: 'r1', search: 'host Z', ...all})).matching).toBe(1)
		expect((await store.steps({kinds: ['decision'], ...all})).matching).toBe(0)
		expect((await store.steps({phases: ['planned'], ...all})).matching).toBe(3)
		expect(await store.tally(['r1', 'r2'])).toEqual({r1: {waiting: 2, late: 1}, r2: {}})
	})

	test('says which runs changed since', async () => {
		const {now} = await store.changes(-1)
		await apply(begin(newRun('r1')), begin(newRun('r2', {subject: null})))
		const next = await store.changes(now)
		expect(next.runs.toSorted((a, b) => (a.run < b.run ? -1 : 1))).toEqual([
			{run: 'r1', kind: 'drill', subject: 'c1'},
			{run: 'r2', kind: 'drill', subject: null}
		])
		expect((await store.changes(next.now)).runs).toEqual([])
		await apply(signal('r2', 'go'))
		expect((await store.changes(next.now)).runs.map(({run}) => run)).toEqual(['r2'])
	})

	test('forgets runs that have ended, with the runs under them and what only they had', async () => {
		const of = (id: string, digest = id, change: Partial<NewRun> = {}) => begin(newRun(id, {definition: {digest, body: digest}, ...change}))
		const ended = ['a', 'b', 'child', 'kid'].map(
			id => ({kind: 'change', ...held(id), change: {state: 'done', endedAt: 9}, durable: true}) as const
		)
		await apply(
			of('a'),
			of('b', 'a'),
			of('open'),
			of('child', 'child', {parent: {run: 'a', step: 's'}}),
			of('kid', 'kid', {parent: {run: 'open', step: 's'}})
		)
		await apply({kind: 'steps', ...held('a'), steps: [step('s')], takes: null, durable: true}, ...ended)
		await apply({kind: 'forget', runs: ['a', 'open', 'none']})
		expect((await store.runs(all)).rows.map(({id}) => id)).toEqual(['open', 'kid', 'b'])
		expect((await store.steps(all)).rows).toEqual([])
		expect([await store.definition('a'), await store.definition('child')]).toEqual(['a', undefined])
	})

	test('says what came after the newest run was removed', async () => {
		await begun('r1', 'r2')
		const {now} = await store.changes(-1)
		await apply({kind: 'withdraw', ...held('r2'), draft: null})
		await apply(signal('r1', 'go'))
		expect((await store.changes(now)).runs.map(({run}) => run)).toEqual(['r1'])
	})
})

describe('runs.db', () => {
	let folder: string
	beforeEach(() => void (folder = testFolder()))

	test('is shared by two processes, each of which sees what the other wrote', () => {
		const [one, two] = [openRunRepository(folder), openRunRepository(folder)]
		const since = two.changes(-1).now
		one.apply([{kind: 'begin', run: newRun('r1'), steps: [], draft: null, under: null}])
		expect(two.changes(since).runs.map(({run}) => run)).toEqual(['r1'])
		expect(two.apply([claim('r1')])).toEqual([2])
		expect(one.apply([{kind: 'change', ...held('r1'), change: {phase: 'x'}, durable: true}])).toEqual([null])
		one.close()
		two.close()
	})

	test('writes nothing of a batch that fails', () => {
		const one = openRunRepository(folder)
		const broken = {...newRun('r2'), title: null as never}
		const ops: Op[] = [newRun('r1'), broken].map(run => ({kind: 'begin', run, steps: [], draft: null, under: null}))
		expect(() => one.apply(ops)).toThrow()
		expect(one.runs(all).matching).toBe(0)
		one.close()
	})

	test('searches 10,000 finished runs within 50 ms of processor time', () => {
		const one = openRunRepository(folder)
		const change = {state: 'done', endedAt: 9} as const
		const ops = Array.from({length: 10_000}, (_one, index): Op[] => {
			const run = newRun(`r${index}`, {title: `Run ${index % 100 === 7 ? 'Needle' : 'Hay'}`, startedAt: index})
			return [
				{kind: 'begin', run, steps: [], draft: null, under: null},
				{kind: 'change', ...held(run.id), change, durable: true}
			]
		})
		one.apply(ops.flat())
		const query = {kind: 'drill', states: ['done'], search: 'needle', offset: 0, limit: 50} as const
		const {ms, result} = computed(() => one.runs(query))
		expect(result).toMatchObject({matching: 100, rows: {length: 50}})
		expect(ms).toBeLessThan(50)
		one.close()
	})
})
