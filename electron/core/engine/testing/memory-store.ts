/** A test double of the storage port in memory: program tests need no file. Several engines may share one. */

import {omitUndefined} from '#shared/omit-undefined.ts'
import {
	blankStep,
	controls,
	type DraftRow,
	type Held,
	type NewRun,
	type Op,
	type OpOf,
	type OpResult,
	type OpResults,
	type Plain,
	type RunHead,
	type RunQuery,
	type RunRow,
	type RunStore,
	type SignalRow,
	type StepQuery,
	type StepRow,
	type Window,
	type Written,
} from '../port.ts'

interface Kept {
	row: RunRow
	changed: number
	steps: Map<string, StepRow>
}

type KeptSignal = SignalRow & {id: string | null; takenBy: string | null}

interface Tables {
	runs: Map<string, Kept>
	signals: KeptSignal[]
	definitions: Map<string, Plain>
	drafts: Map<string, DraftRow>
	changes: number
}

export interface MemoryStore extends RunStore {
	/** From now on every write, or every call, rejects with this; `null` ends that. */
	fail(error: Error | null, what?: 'writes' | 'all'): void
}

export function memoryStore(): MemoryStore {
	const tables: Tables = {runs: new Map(), signals: [], definitions: new Map(), drafts: new Map(), changes: 0}
	let fault: {error: Error; what: 'writes' | 'all'} | null = null
	/** Rows are copied: callers never hold a row of the store. */
	const answer = async <T>(work: () => T, writes = false) => {
		if (fault !== null && (writes || fault.what === 'all')) throw fault.error
		return structuredClone(work())
	}
	const kept = (id: string) => tables.runs.get(id)
	return {
		apply: ops => answer(() => structuredClone(ops).map(op => applyOne(tables, op)), true),
		run: id => answer(() => kept(id)?.row),
		byKey: key => answer(() => [...tables.runs.values()].find(({row}) => row.key === key)?.row),
		runs: query => answer(() => runs(tables, query)),
		steps: query => answer(() => steps(tables, query)),
		outline: run =>
			answer(() =>
				steps(tables, {run, offset: 0, limit: Infinity}).rows.map(({id, label, kind, phase, attempt}) => ({
					id,
					label,
					kind,
					phase,
					attempt,
				})),
			),
		tally: ids => answer(() => Object.fromEntries(ids.map(id => [id, tallyOf(kept(id))]))),
		pending: id => answer(() => pending(tables, id)),
		definition: digest => answer(() => tables.definitions.get(digest)),
		draft: id => answer(() => tables.drafts.get(id)),
		changes: since =>
			answer(() => {
				const later = [...tables.runs.values()].filter(({changed}) => since >= 0 && changed > since)
				return {now: tables.changes, runs: later.map(({row: {id, kind, subject}}) => ({run: id, kind, subject}))}
			}),
		close: async () => {},
		fail: (error, what = 'writes') => (fault = error && {error, what}),
	}
}

function applyOne(tables: Tables, op: Op): OpResult {
	switch (op.kind) {
		case 'begin':
			return begin(tables, op)
		case 'claim':
			return claim(tables, op)
		case 'steps':
			return whileHeld(tables, op, run => {
				for (const step of op.steps) run.steps.set(step.id, step)
				if (op.takes !== null) take(tables, op.takes, op.steps[0]?.id ?? '')
			})
		case 'change':
			return whileHeld(
				tables,
				op,
				run => (run.row = {...run.row, ...omitUndefined(op.change), ...(typeof op.change.endedAt === 'number' && {owner: null})}),
			)
		case 'decide':
			return decide(tables, op)
		case 'signal':
			return signal(tables, op)
		case 'release':
			return whileHeld(tables, op, run => (run.row = {...run.row, owner: null}))
		case 'withdraw':
			return whileHeld(tables, op, run => {
				if (run.row.begun) return
				tables.runs.delete(op.run)
				if (op.draft !== null) tables.drafts.set(op.draft.id, op.draft)
			})
		case 'draft':
			for (const {id, keptAt} of tables.drafts.values()) if (keptAt < op.keptSince) tables.drafts.delete(id)
			tables.drafts.set(op.draft.id, op.draft)
			return true
	}
}

function touch(tables: Tables, run: Kept, at?: number) {
	run.changed = tables.changes += 1
	if (at !== undefined) run.row = {...run.row, aliveAt: at}
}

function held(tables: Tables, {run, epoch, at}: Held) {
	const found = tables.runs.get(run)
	if (found?.row.epoch !== epoch) return undefined
	touch(tables, found, at)
	return found
}

function whileHeld(tables: Tables, by: Held, work: (run: Kept) => unknown): Written {
	const run = held(tables, by)
	if (run === undefined) return null
	const {paused, cancels} = run.row
	work(run)
	return {paused, cancels}
}

function begin(tables: Tables, {run, steps: planned, draft, under}: OpOf<'begin'>): OpResults['begin'] {
	const parent = under === null ? undefined : held(tables, under)
	if (under !== null && parent === undefined) return {lost: true}
	const there = [...tables.runs.values()].find(({row}) => row.id === run.id || (run.key !== null && row.key === run.key))
	if (there !== undefined) return {taken: there.row.id}
	if (run.definition !== null) tables.definitions.set(run.definition.digest, run.definition.body)
	const rows = planned.map((step, position) => [step.id, {...blankStep, ...step, position}] as const)
	const made: Kept = {row: rowOf(run), changed: 0, steps: new Map(rows)}
	tables.runs.set(run.id, made)
	touch(tables, made)
	if (draft !== null) tables.drafts.delete(draft)
	if (under !== null) parent?.steps.set(under.step.id, under.step)
	if (under !== null && under.takes !== null) take(tables, under.takes, under.step.id)
	return {begun: true}
}

function rowOf({definition, ...run}: NewRun): RunRow {
	return {
		...run,
		definition: definition?.digest ?? null,
		...{state: 'open', because: null, endedAt: null, failed: [], paused: false, cancels: 0},
		...{epoch: 1, aliveAt: run.startedAt, begun: false, tally: null, output: null},
	}
}

function claim(tables: Tables, {run, epoch, at, owner}: OpOf<'claim'>) {
	const found = tables.runs.get(run)
	if (found === undefined || found.row.epoch !== epoch || found.row.endedAt !== null) return null
	const because = found.row.state === 'held' ? null : found.row.because
	found.row = {...found.row, owner, epoch: epoch + 1, state: 'open', because}
	touch(tables, found, at)
	return epoch + 1
}

function take(tables: Tables, seq: number, step: string) {
	const found = tables.signals.find(one => one.seq === seq && one.takenBy === null)
	if (found !== undefined) found.takenBy = step
}

function decide(tables: Tables, op: OpOf<'decide'>): OpResults['decide'] {
	const run = held(tables, op)
	if (run === undefined) return null
	const found = tables.signals.find(one => one.run === op.run && one.name === op.name && one.takenBy === null)
	const ended = {...op.step, phase: 'done', endedAt: op.at} as const
	if (found !== undefined) {
		found.takenBy = op.step.id
		run.steps.set(op.step.id, {...ended, tag: 'answered', output: {payload: found.payload, at: found.at}})
	} else run.steps.set(op.step.id, op.late ? {...ended, tag: 'timed_out', output: null} : op.step)
	return {taken: found === undefined ? null : shown(found), late: found === undefined && op.late}
}

function shown({seq, run, name, payload, at}: KeptSignal): SignalRow {
	return {seq, run, name, payload, at}
}

function signal(tables: Tables, {run, name, payload = null, id, at, reopens}: OpOf<'signal'>): OpResults['signal'] {
	const found = tables.runs.get(run)
	if (found === undefined) return 'no_run'
	const {endedAt, state, cancels} = found.row
	if (endedAt !== null && !(reopens && state === 'failed')) return 'ended'
	if (id !== null && tables.signals.some(one => one.run === run && one.id === id)) return 'duplicate'
	const takenBy = Object.values<string>(controls).includes(name) ? '$engine' : null
	tables.signals.push({seq: tables.signals.length + 1, run, name, payload, at, id, takenBy})
	if (endedAt !== null) found.row = {...found.row, state: 'open', endedAt: null, because: null, tally: null, failed: []}
	if (name === controls.pause || name === controls.resume) found.row = {...found.row, paused: name === controls.pause}
	if (name === controls.cancel) found.row = {...found.row, cancels: payload === 2 || cancels === 2 ? 2 : 1}
	touch(tables, found)
	return 'kept'
}

function tallyOf(run: Kept | undefined) {
	const counts: Record<string, number> = {}
	for (const {tag} of run?.steps.values() ?? []) counts[tag] = (counts[tag] ?? 0) + 1
	return counts
}

function runs({runs: all}: Tables, query: RunQuery): Window<RunHead> {
	const {kind, subject, subjects, states, parent, from = -Infinity, to = Infinity} = query
	const isOpen = ({endedAt}: RunHead) => Number(query.openFirst === true && endedAt === null)
	const found = [...all.values()]
		.map(({row: {input: _input, output: _output, ...head}}) => head)
		.filter(row => row.kind === (kind ?? row.kind) && row.subject === (subject ?? row.subject))
		.filter(row => subjects?.includes(row.subject ?? '') ?? true)
		.filter(row => states?.includes(row.state) ?? true)
		.filter(row => parent === undefined || row.parent?.run === parent)
		.filter(row => row.startedAt >= from && row.startedAt < to)
		.filter(row => isFound(query.search, row.id, row.title, row.startedBy))
		.toSorted((one, other) => isOpen(other) - isOpen(one) || other.startedAt - one.startedAt || (other.id < one.id ? -1 : 1))
	return windowOf(found, query)
}

function steps({runs: all}: Tables, query: StepQuery): Window<StepRow & {run: string}> {
	const {run, ids, kinds, phases, tags} = query
	const found = [...all.values()]
		.filter(({row}) => row.id === (run ?? row.id))
		.toSorted((one, other) => (one.row.id < other.row.id ? -1 : 1))
		.flatMap(kept => [...kept.steps.values()].map(step => ({...step, run: kept.row.id})))
		.filter(row => ids?.includes(row.id) ?? true)
		.filter(row => kinds?.includes(row.kind) ?? true)
		.filter(row => phases?.includes(row.phase) ?? true)
		.filter(row => tags?.includes(row.tag) ?? true)
		.filter(row => isFound(query.search, row.label, row.id))
		.toSorted((one, other) => (one.run === other.run ? one.position - other.position : 0))
	return windowOf(found, query)
}

function isFound(search: string | undefined, ...texts: readonly string[]) {
	const wanted = (search ?? '').toLowerCase()
	return texts.some(text => text.toLowerCase().includes(wanted))
}

function windowOf<Row>(rows: readonly Row[], {offset, limit}: {offset: number; limit: number}): Window<Row> {
	return {rows: rows.slice(offset, offset + limit), matching: rows.length}
}

function pending({runs: all, signals}: Tables, run: string): Awaited<ReturnType<RunStore['pending']>> {
	const found = all.get(run)
	if (found === undefined) return undefined
	const {epoch, paused, cancels} = found.row
	const waiting = signals.filter(one => one.run === run && one.takenBy === null).map(shown)
	return {epoch, paused, cancels, signals: waiting}
}
