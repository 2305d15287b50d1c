import {CordonError, invalidArgument, usageError} from '#contract/errors.ts'
import {
	stepOfRow,
	type PlaybookProgress,
	type PlaybookQuestion,
	type PlaybookRun,
	type PlaybookRunDetail,
	type PlaybookRunFilter,
	type PlaybookStepRun
} from '#model/playbook.ts'

import type {LogEntry} from '#model/incident.ts'

import {allRows} from '#base/all-rows.ts'
import type {RunHead, StepRow} from '#core/engine/port.ts'
import type {Engine} from '#core/engine/engine.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {PlaybookDocument} from './document.ts'
import {answerTo, playbookKind, type Answer, type PinnedPlaybook} from './interpreter.ts'
import {draftOf} from './draft.ts'
import {dryRun} from './dry-run.ts'
import {entriesSince, playbookProgram, type PlaybookActors} from './program.ts'
import {fileNameOf, openPlaybookStore, type PlaybookStore, type StoreDependencies} from './store.ts'
import {checkPlaybook} from './validate.ts'
import {answeredBy, givenVariables, inputsOf, misfit, valuesOf} from './variables.ts'

export interface StartPlaybook {
	/** ID or name. */
	readonly playbook: string
	readonly version?: string | undefined
	readonly connection?: string | undefined
	readonly variables: Readonly<Record<string, string>>
	readonly incident?: string | null | undefined
	/** Default: the operator. */
	readonly startedBy?: string | undefined
	/** Whoever saved the schedule or rule that starts it: a requester of its approvals, too. */
	readonly appliedBy?: string | undefined
	/** Started without an operator: it, and each playbook it runs, must be from the library or signed by a trusted key. */
	readonly alone?: boolean | undefined
	/** Unique among runs. */
	readonly key?: string | undefined
	/** Each change waits for an approval, whatever the playbook says. */
	readonly proposes?: boolean | undefined
}

export interface RunsAsked {
	readonly search?: string | undefined
	readonly state?: PlaybookRunFilter | undefined
	readonly since?: string | undefined
	/** Only the last one of each playbook. */
	readonly last?: boolean | undefined
	/** IDs. Default: all. */
	readonly connections?: readonly string[] | undefined
	readonly offset: number
	readonly limit: number
}

export interface StepsAsked {
	readonly run: string
	readonly step?: string | undefined
	readonly brief?: boolean | undefined
	readonly offset: number
	readonly limit: number
}

interface PlaybookServices extends StoreDependencies, PlaybookActors {
	runs: Engine
	connections: Pick<Connections, 'find'>
}

export type Playbooks = ReturnType<typeof openPlaybooks>

export function openPlaybooks(services: PlaybookServices) {
	const {runs, operator} = services
	const store = openPlaybookStore(services)
	runs.register(playbookProgram(services))
	const one = async (id: string): Promise<RunHead> => await ownRun(runs, id)
	return {
		...store,
		/** Resolves with the run once its start is in the log. */
		start: (request: StartPlaybook) => start(services, store, request),
		/** Effects of a start. Sends no change, and starts nothing. */
		dryRun: async (request: StartPlaybook, signal: AbortSignal) => await dryRun(services, await prepared(services, store, request), signal),
		/** Throws `usage` for a playbook that only an operator may start. */
		mayStartAlone: (idOrName: string) => {
			const {document} = store.find(idOrName)
			refuseAlone(store, [document])
			return {name: document.name, inputs: inputsOf(document)}
		},
		runs: async ({state, since, connections: subjects, ...asked}: RunsAsked) => {
			const from = since === undefined ? undefined : Date.parse(since)
			const states = state === undefined ? undefined : engineStates[state]
			const {rows, matching} = await runs.find({kind: playbookKind, states, from, subjects, ...asked})
			return {rows: await Promise.all(rows.map(run => runOf(services, run))), matching}
		},
		run: async (id: string) => await detailOf(services, await one(id)),
		/** Without its steps. */
		head: async (id: string) => await runOf(services, await one(id)),
		progress: async (id: string) => await progressOf(services, await one(id)),
		/** Newest first; of one step of the document, or of all. */
		steps: async (asked: StepsAsked) => await stepsOf(runs, await one(asked.run), asked),
		pinned: async (id: string) => (await pinnedBy(runs, await one(id))).document,
		draft: (ids: readonly string[]) => draftOf(ids, id => services.log.entry(id), new Date(services.clock.now()).toISOString()),
		entries: async (id: string, step?: string) => await entriesOf(services, await one(id), step),
		exportRun: async (id: string) => {
			const run = await one(id)
			const [detail, {document}] = [await detailOf(services, run), await pinnedBy(runs, run)]
			const text = `${JSON.stringify({run: detail, document, entries: await entriesOf(services, run)}, null, 2)}\n`
			return {name: `${fileNameOf(run.title)}-${id}.json`, text}
		},
		forget: (ids: readonly string[]) => runs.forget(ids),
		pause: async (id: string) => void (await runs.pause((await one(id)).id)),
		resume: async (id: string) => await runs.resume((await one(id)).id),
		cancel: async (id: string) => void (await runs.cancel((await one(id)).id, 1, `Cancelled by ${operator}.`)),
		retry: async (id: string, step?: string) => await runs.retry(id, step ?? failedIn(await one(id))),
		skip: async (id: string, step: string, reason: string) => {
			if (reason.trim() === '') throw invalidArgument('Give the reason for skipping the step.', 'reason')
			await runs.skip((await one(id)).id, step, reason, '')
		},
		again: async (id: string, newest: boolean, key?: string) => {
			const run = await one(id)
			const {document, connection, incident, proposes} = await pinnedBy(runs, run)
			// Written by `start`; a run of a playbook-action has none.
			const variables = ((await runs.get(id))?.input ?? {}) as StartPlaybook['variables']
			const version = newest ? undefined : String(run.facts['digest'])
			const same = {playbook: document.id, version, connection, incident, variables, proposes, key}
			return await start(services, store, same)
		},
		/** An early answer is kept for its question. */
		answer: async (id: string, step: string | undefined, answer: string, because: string | null) => {
			const run = await one(id)
			const asked = step ?? (await questionsOf(services, run))[0]?.step
			if (asked === undefined)
				throw usageError(run.endedAt === null ? 'The run asks nothing now. Name the step to answer it ahead.' : isOver, 'step')
			const question = (await questionsOf(services, run)).find(each => each.step === asked)
			if (question?.approval !== undefined && question.approval !== null)
				throw new CordonError('usage', `This needs an approval. Use the inbox, or: cordon approvals approve ${question.approval}`, {
					field: 'step'
				})
			if (question?.free === false && !/^(?:yes|no)$/i.test(answer.trim())) throw invalidArgument('Answer yes or no.', 'answer')
			const into = answeredBy((await pinnedBy(runs, run)).document, asked)
			const reason = into && misfit(into, answer)
			if (reason !== undefined) throw invalidArgument(`The answer ${reason}.`, 'answer')
			const payload: Answer = {answer, by: operator, reason: because}
			const fate = await runs.signal(run.id, answerTo(asked), payload, answerTo(asked))
			if (fate === 'kept') return
			const message = fate === 'ended' ? isOver : 'The question was answered already. The first answer holds.'
			throw usageError(message, 'step')
		},
		/** Resolves when it has ended or waits for an operator. */
		settled: (id: string, signal?: AbortSignal) => settled(services, id, signal),
		ended: async (id: string, signal?: AbortSignal) => await detailOf(services, await runs.ended((await one(id)).id, signal))
	}
}

async function prepared({connections, clock, origins}: PlaybookServices, store: PlaybookStore, request: StartPlaybook): Promise<PinnedPlaybook> {
	const {document, digest} = store.find(request.playbook, request.version)
	const {id: connection, url} = connections.find(request.connection)
	const how = {now: clock.now(), origins: origins?.(connection) ?? []}
	await refuseUnfit(document, how)
	const variables = givenVariables(document, request.variables)
	const others = await othersOf(store, document, how)
	if (request.alone === true) refuseAlone(store, [document, ...Object.values(others)])
	const {incident = null, appliedBy, proposes} = request
	const said = {...(proposes === true && {proposes}), ...(appliedBy !== undefined && {appliedBy})}
	return {document, digest, variables, connection, url, incident, others, ...said}
}

const whyNotAlone = {
	unsigned: 'is not signed',
	untrusted: 'is not signed by a key that is trusted here',
	broken: 'has a signature that does not fit it'
} as const

function refuseAlone(store: PlaybookStore, documents: readonly PlaybookDocument[]) {
	for (const document of documents) {
		const {state} = store.signatureOf(document)
		if (state === 'library' || state === 'trusted') continue
		throw usageError(`${document.name} ${whyNotAlone[state]}. It runs only when someone starts it.`, 'playbook')
	}
}

async function start(services: PlaybookServices, store: PlaybookStore, request: StartPlaybook) {
	const {runs, operator} = services
	const definition = await prepared(services, store, request)
	const {document, digest, incident, connection: subject} = definition
	const id = await runs.begin({
		...{kind: playbookKind, title: document.name, startedBy: request.startedBy ?? operator, subject, definition},
		...{input: request.variables, key: request.key},
		facts: {playbook: document.id, digest, incident, logSeq: await services.log.newest()}
	})
	return await runOf(services, await ownRun(runs, id))
}

interface Fitting {
	now: number
	origins: readonly string[]
}

/** Checks the document again: another version may have stored one that this version refuses. */
async function refuseUnfit(document: PlaybookDocument, {now, origins}: Fitting) {
	const {runnable, issues} = await checkPlaybook(document as unknown as Readonly<Record<string, unknown>>, origins)
	const first = issues.find(({level}) => level === 'error' || level === 'refused')
	if (!runnable && first !== undefined)
		throw new CordonError('invalid_argument', `${document.name} cannot run. ${first.name ?? first.field}: ${first.message} ${first.fix}`, {
			field: first.field
		})
	const {revoked = false, valid_from: from, valid_until: until} = document
	const isOutside = (from !== undefined && now < Date.parse(from)) || (until !== undefined && now >= Date.parse(until))
	if (revoked || isOutside) throw usageError(`${document.name} ${revoked ? 'was revoked' : 'is not valid now'}. Use another version.`, 'playbook')
}

/** All playbooks that this one runs, directly or indirectly. */
async function othersOf(store: PlaybookStore, document: PlaybookDocument, how: Fitting) {
	const others: Record<string, PlaybookDocument> = {}
	const visit = async (one: PlaybookDocument, above: readonly string[]) => {
		const path = [...above, one.id]
		if (path.length > mostDeep) throw invalidArgument(`Playbooks run each other more than ${mostDeep} deep.`, 'playbook_id')
		for (const id of new Set(Object.values(one.workflow).flatMap(step => step.playbook_id ?? []))) {
			const found = id === document.id ? document : (others[id] ??= store.find(id).document)
			if (path.includes(id)) throw invalidArgument(`${one.name} runs ${found.name} in a circle.`, 'playbook_id')
			const before = deepest.get(id)
			if (before === undefined) await refuseUnfit(found, how)
			// Its children were checked from this depth on; only a deeper place can exceed the limit.
			if (before !== undefined && before >= path.length) continue
			deepest.set(id, path.length)
			await visit(found, path)
		}
	}
	const deepest = new Map<string, number>()
	await visit(document, [])
	return others
}

const mostDeep = 8

async function ownRun(runs: Engine, id: string) {
	const run = await runs.get(id)
	if (run === undefined || run.kind !== playbookKind) throw new CordonError('unknown_run')
	return run
}

const engineStates = {open: ['open', 'held'], completed: ['done'], failed: ['failed'], cancelled: ['cancelled']} as const satisfies Readonly<
	Record<PlaybookRunFilter, readonly RunHead['state'][]>
>

async function entriesOf({log}: PlaybookServices, run: RunHead, step?: string) {
	const {startedAt, endedAt} = run
	// A clock that was set back tells no end.
	const until = endedAt === null || endedAt < startedAt ? undefined : new Date(endedAt + 1000).toISOString()
	const all = await entriesSince(log, run, {until, surface: 'playbook'})
	const own = withSteps(all, ({data}) => data?.['run'] === run.id)
	return step === undefined ? own : withSteps(own, ({data}) => data?.['step'] === step)
}

/** These, and what was written about them later. */
function withSteps(entries: readonly LogEntry[], isOne: (entry: LogEntry) => boolean) {
	const ids = new Set(entries.filter(isOne).map(({id}) => id))
	return entries.filter(({id, about}) => ids.has(id) || (about !== null && ids.has(about)))
}

async function pinnedBy(runs: Engine, run: RunHead) {
	// Written by `start`.
	return (await runs.definitionOf(run)) as PinnedPlaybook
}

function failedIn({failed}: RunHead) {
	const [step, ...others] = failed
	if (step === undefined) throw usageError('No step of the run waits to be retried.', 'step')
	if (others.length > 0) throw usageError(`Several steps failed: ${failed.join(', ')}. Name one.`, 'step')
	return step
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

type Asking = Pick<PlaybookServices, 'runs' | 'approvals'>

const isOver = 'The run has ended.'

type Asked = Pick<PlaybookQuestion, 'question' | 'free'> & Partial<Pick<PlaybookQuestion, 'approval'>>

async function questionsOf(services: Asking, run: RunHead): Promise<readonly PlaybookQuestion[]> {
	if (run.endedAt !== null) return []
	const {runs, approvals} = services
	const {rows} = await runs.steps({run: run.id, kinds: ['decision'], phases: ['intent'], offset: 0, limit: 100})
	const answered = new Set((await runs.signals(run.id)).map(({name}) => name))
	return rows.flatMap(({id, label, input, due}) => {
		// Written by the interpreter.
		const {question, free, approval = null} = input as Asked
		const state = approval === null ? undefined : approvals?.find(approval)?.state
		if (answered.has(answerTo(id)) || (state !== undefined && state !== 'pending')) return []
		return [{step: id, name: label, question, free, approval, due: iso(due)}]
	})
}

async function runOf(services: Asking, run: RunHead, known?: readonly PlaybookQuestion[]): Promise<PlaybookRun> {
	const {id, title, facts, because, startedBy, failed} = run
	const isAsking = run.state === 'open' && !run.paused && (known ?? (await questionsOf(services, run))).length > 0
	return {
		...{id, title, because, startedBy, failed, connection: run.subject ?? '', endedAt: iso(run.endedAt)},
		...{playbook: String(facts['playbook']), digest: String(facts['digest'])},
		incident: typeof facts['incident'] === 'string' ? facts['incident'] : null,
		state: stateOf(services.runs, run, isAsking),
		startedAt: new Date(run.startedAt).toISOString()
	}
}

function stateOf(runs: Engine, run: RunHead, isAsking: boolean) {
	if (run.state === 'done') return 'completed'
	if (run.state === 'failed' || run.state === 'cancelled') return run.state
	if (run.state === 'held' || runs.whereIs(run) === 'nowhere') return 'interrupted'
	if (run.cancels > 0) return 'running'
	if (run.paused) return 'paused'
	return isAsking ? 'waiting' : 'running'
}

async function detailOf(services: Asking, run: RunHead): Promise<PlaybookRunDetail> {
	const {runs} = services
	const rows = await allRows(window => runs.steps({run: run.id, ...window}))
	const {variables} = await pinnedBy(runs, run)
	const output = (await runs.get(run.id))?.output
	const failed = rows.find(({id}) => run.failed.includes(id))?.error?.code ?? null
	const questions = await questionsOf(services, run)
	return {
		...(await runOf(services, run, questions)),
		code: run.state === 'failed' ? (endOf(output).code ?? failed) : null,
		variables: {...valuesOf(variables), ...endOf(output).variables},
		steps: rows.filter(isShown).map(stepRunOf),
		questions
	}
}

/** The record of an answer belongs to its question. */
export function isShown({id}: Pick<StepRow, 'id'>) {
	return !/\/(?:note|request|verdict\.\d+)$/.test(id)
}

async function progressOf(services: Asking, run: RunHead): Promise<PlaybookProgress> {
	const rows = await services.runs.outline(run.id)
	const names = new Map(rows.map(({id, label}) => [id, label]))
	const steps = Map.groupBy(rows.filter(isShown), ({id}) => stepOfRow(id))
	const questions = await questionsOf(services, run)
	return {
		...(await runOf(services, run, questions)),
		questions,
		failedNames: run.failed.map(id => names.get(id) ?? id),
		steps: [...steps].flatMap(([step, own]) => {
			const newest = own.at(-1)
			const visits = new Set(own.map(({id}) => id.split('#')[1]?.split(/[/.]/)[0])).size
			return newest === undefined ? [] : [{step, visits, kind: newest.kind, state: newest.phase, attempt: newest.attempt}]
		})
	}
}

function briefly(row: PlaybookStepRun): PlaybookStepRun {
	const {output} = row
	return {...row, input: null, past: [], output: typeof output === 'string' ? output.slice(0, 300) : output}
}

async function stepsOf(runs: Engine, run: RunHead, {step, brief = false, offset, limit}: StepsAsked) {
	const shown = (await runs.outline(run.id)).filter(isShown).map(({id}) => id)
	const own = step === undefined ? shown : shown.filter(id => stepOfRow(id) === step)
	const ids = own.toReversed().slice(offset, offset + limit)
	const {rows} = await runs.steps({run: run.id, ids, offset: 0, limit: ids.length})
	const found = rows.map(stepRunOf).toReversed()
	return {rows: brief ? found.map(briefly) : found, matching: own.length}
}

interface End {
	variables?: Readonly<Record<string, string>>
	code?: string
}

function endOf(output: unknown) {
	// Written by `playbookProgram`.
	return (output ?? {}) as End
}

function stepRunOf({id, label, kind, phase, attempt, past, input, output, error, begunAt, endedAt, due}: StepRow): PlaybookStepRun {
	const before = past.map(one => ({
		...{attempt: one.attempt, state: one.phase, message: one.error?.message ?? null},
		...{begunAt: iso(one.begunAt), endedAt: iso(one.endedAt)}
	}))
	const times = {begunAt: iso(begunAt), endedAt: iso(endedAt), due: iso(due)}
	const told = error === null ? null : {code: error.code, message: error.message}
	return {id, name: label, kind, state: phase, attempt, past: before, input, output, error: told, ...times}
}

async function settled(services: Asking, id: string, signal?: AbortSignal) {
	for (;;) {
		const changed = Promise.withResolvers<void>()
		const off = services.runs.onChange(({run}) => void (run === id && changed.resolve()))
		const abort = () => changed.reject(signal?.reason)
		signal?.addEventListener('abort', abort, {once: true})
		try {
			const run = await ownRun(services.runs, id)
			if ((await runOf(services, run)).state !== 'running') return await detailOf(services, run)
			signal?.throwIfAborted()
			await changed.promise
		} finally {
			off()
			signal?.removeEventListener('abort', abort)
		}
	}
}
