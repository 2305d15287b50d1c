import type {Instance} from '#model/instance.ts'
import {same} from './changes.ts'
import {createHealth} from './health.ts'
import {holderOf} from './listening.ts'
import {createOutput} from './output.ts'
import {instanceVariable, startProgram} from './program.ts'
import {type Parts, reasons, type UnitOptions} from './unit-parts.ts'
import {look, watch} from './unit-watch.ts'

/** Keeps every instance in its requested state. */
export type Supervisor = ReturnType<typeof createSupervisor>

export interface SupervisorOptions extends Omit<UnitOptions, 'holder'> {
	/** The forwarding server's port in this process. */
	ownPort: () => number | undefined
}

interface Kept {
	unit: Unit
	instance: Instance
	/** The settings of its start. */
	start: string
}

export function createSupervisor(options: SupervisorOptions) {
	const kept = new Map<string, Kept>()
	/** Pending ends. */
	const leaving = new Map<string, Promise<void>>()
	/** The unit that reports for each instance: a replaced one ends after its successor began. */
	const telling = new Map<string, symbol>()
	let stopped: Promise<void> | undefined
	const holder = async (port: number) => {
		const found = await holderOf(port)
		if (found === null) return null
		const own = [...kept.values()].find(({unit, instance}) => instance.listenPort === port && unit.pid === found.pid)
		if (own !== undefined && found.pid !== null) return `the instance ${own.instance.name}`
		if (found.pid === process.pid) return options.ownPort() === port ? 'the forwarding server' : 'Cordon itself'
		return found.text
	}
	/** `forget`: its files go too, unless it was added again meanwhile. */
	const end = (id: string, forget = false) => {
		const {unit} = kept.get(id) ?? {}
		kept.delete(id)
		if (unit === undefined) return
		const ending = unit
			.stop()
			.then(() => (forget && !kept.has(id) ? options.builtins.remove(id).catch(() => {}) : undefined))
			.finally(() => leaving.get(id) === ending && leaving.delete(id))
		leaving.set(id, ending)
	}
	const killAll = () => {
		for (const {unit} of kept.values()) unit.kill()
	}
	// A console that exits without a stop kills its programs; a killed one leaves a record for the next.
	process.once('exit', killAll)
	const put = (instance: Instance, restarts: number) => {
		const start = startOf(instance, restarts)
		const old = kept.get(instance.id)
		if (old?.start === start) {
			old.unit.update(instance)
			kept.set(instance.id, {...old, instance})
			return
		}
		end(instance.id)
		const after = leaving.get(instance.id) ?? Promise.resolve()
		const own = Symbol(instance.name)
		telling.set(instance.id, own)
		const onHealth: UnitOptions['onHealth'] = (id, health) => {
			if (telling.get(id) === own) options.onHealth(id, health)
		}
		const unit = startUnit(instance, {...options, holder, onHealth}, after)
		kept.set(instance.id, {unit, instance, start})
	}
	return {
		/** All wanted instances; `restarts` increases to request a restart. */
		apply(wanted: readonly {instance: Instance; restarts: number}[]) {
			if (stopped !== undefined) return
			const ids = new Set(wanted.map(({instance}) => instance.id))
			for (const id of kept.keys()) {
				if (ids.has(id)) continue
				end(id, true)
				telling.delete(id)
			}
			for (const {instance, restarts} of wanted) put(instance, restarts)
		},
		health: (id: string) => kept.get(id)?.unit.health(),
		/** Differs after a check, output, or a new list. */
		news: () => [...kept].map(([id, {unit}]) => `${id} ${unit.news}`).join('\n'),
		output: (id: string) => kept.get(id)?.unit.output ?? [],
		listStatus: (id: string) => kept.get(id)?.unit.builtin?.listStatus() ?? null,
		publish: async (id: string) => {
			const {unit} = kept.get(id) ?? {}
			const status = (await unit?.builtin?.publish()) ?? null
			// Its health reported a held list.
			if (status !== null) await unit?.checkNow()
			return status
		},
		checkNow: async (id: string, signal?: AbortSignal) => kept.get(id)?.unit.checkNow(signal),
		/** Whether it listens beyond loopback; `undefined` if unknown. */
		isOpen: (id: string) => kept.get(id)?.unit.isOpen,
		/** Whether its port was to be open at its start. */
		openPort: (id: string) => kept.get(id)?.instance.openPort,
		/** Whether an instance run by Cordon has the port. */
		listensOn: (port: number) => [...kept.values()].some(({unit, instance}) => instance.listenPort === port && unit.listening),
		/** Ends them all. A second call waits for the first. */
		stop: () =>
			(stopped ??= (async () => {
				for (const id of kept.keys()) end(id)
				await Promise.all(leaving.values())
				process.off('exit', killAll)
			})())
	}
}

/** Any other change takes effect without a restart. */
function startOf({program, name, access, host, listenPort, openPort, enabled}: Instance, restarts: number) {
	const service = program.kind === 'builtin' ? program.builtin.service : undefined
	// A webhook checks and names its callers itself.
	const kind = service === 'webhook' ? [service, name, access] : (service ?? program)
	return JSON.stringify([kind, host, listenPort, openPort, enabled, program.kind === 'external' ? 0 : restarts])
}

/** One instance: checked, and, if run by Cordon, restarted until it is stopped. */
type Unit = ReturnType<typeof startUnit>

/** First and longest pause before a restart. */
const pauseMs = {first: 1000, last: 60_000}
/** Healthy for this long, the next end counts as the first. */
const steadyMs = 60_000
/** How long a program started by Cordon may take to listen. */
const graceMs = 30_000

/** `after`: the end of the replaced one. */
function startUnit(instance: Instance, options: UnitOptions, after: Promise<void>) {
	const {clock, onHealth} = options
	const ended = new AbortController()
	const health = createHealth(clock, instance.program.kind === 'external' ? 0 : graceMs, now => onHealth(instance.id, now))
	const output = createOutput(clock.now, line => options.onOutput?.(instance.id, line))
	const deps: Parts = {...options, instance, health, output, stopping: ended.signal, program: undefined, builtin: undefined, isOpen: undefined}
	if (instance.enabled) health.set('starting', instance.program.kind === 'external' ? reasons.unseen : reasons.begins)
	else health.set('disabled', reasons.disabled)
	const done = after
		.then(() => run(deps))
		.catch((error: unknown) => {
			deps.program?.kill()
			health.set('stopped', 'Something went wrong inside Cordon.')
			options.onTrouble(`The instance ${deps.instance.name} cannot be looked after.`, error)
		})
	return {
		health: health.get,
		get output() {
			return output.lines()
		},
		/** Differs after a check, output, or a new list. */
		get news() {
			return JSON.stringify([health.get().checkedAt, output.count(), deps.builtin?.listStatus()])
		},
		get builtin() {
			return deps.builtin
		},
		/** Whether it listens beyond loopback; `undefined` if unknown. */
		get isOpen() {
			return deps.isOpen
		},
		/** Whether it has its port, as far as Cordon knows. */
		get listening() {
			return deps.program !== undefined || deps.builtin !== undefined
		},
		get pid() {
			return deps.program?.identity?.pid
		},
		/** Changes without a restart: name, health check, what a built-in one serves. */
		update: (next: Instance) => update(deps, next),
		checkNow: async (signal?: AbortSignal) => {
			const {instance: now, program, builtin} = deps
			// While its own program does not run, another one may answer on its port.
			if (now.enabled && (now.program.kind === 'external' || (program ?? builtin) !== undefined)) await look(deps, signal)
		},
		stop: () => {
			ended.abort()
			return done
		},
		/** Immediately, for the end of this process. */
		kill: () => deps.program?.kill()
	}
}

function update(deps: Parts, next: Instance) {
	const before = deps.instance.program
	deps.instance = next
	if (next.program.kind === 'builtin' && !same(before, next.program)) deps.builtin?.reload(next.program.builtin)
}

async function run(deps: Parts) {
	const {instance, stopping} = deps
	if (!instance.enabled) return
	if (instance.program.kind === 'external') return watch(deps, stopping)
	let pause = pauseMs.first
	while (!stopping.aborted) {
		const {why, healthyMs} = await attempt(deps)
		if (stopping.aborted) break
		if (healthyMs >= steadyMs) pause = pauseMs.first
		deps.health.set('stopped', `${why} It is started again in ${pause / 1000} s.`)
		deps.output.add('stderr', `[${why} It is started again in ${pause / 1000} s.]`)
		await deps.clock.sleep(pause, stopping).catch(() => {})
		pause = Math.min(pause * 2, pauseMs.last)
	}
	deps.health.set('stopped', reasons.ended)
}

/** One run of an instance by Cordon, from start to end. */
interface End {
	/** In a sentence. */
	why: string
	/** How long it was healthy. */
	healthyMs: number
}

const none: End = {why: '', healthyMs: 0}
type KindOf<Kind> = Extract<Instance['program'], {kind: Kind}>

/** From its start to its end. */
async function attempt(deps: Parts): Promise<End> {
	const {instance, health} = deps
	const holder = await deps.holder(instance.listenPort)
	if (holder !== null) return {why: `Port ${instance.listenPort} is held by ${holder}. Free it, or give the instance another port.`, healthyMs: 0}
	if (deps.stopping.aborted) return none
	health.set('starting', reasons.begins)
	const {program} = instance
	if (program.kind === 'managed') return runProgram(deps, program)
	return program.kind === 'builtin' ? runBuiltin(deps, program.builtin) : none
}

async function runProgram(deps: Parts, {command, folder}: KindOf<'managed'>): Promise<End> {
	const {instance, stopping, health, output, patienceMs} = deps
	const program = startProgram({command, folder, environment: environmentOf(deps), output, patienceMs})
	deps.program = program
	deps.onProcess(instance.id, program.identity)
	const stop = () => void program.stop()
	stopping.addEventListener('abort', stop)
	if (stopping.aborted) stop()
	const over = new AbortController()
	const watching = watch(deps, AbortSignal.any([stopping, over.signal]))
	const why = await program.ended
	const healthyMs = health.healthyMs()
	stopping.removeEventListener('abort', stop)
	over.abort()
	await watching
	deps.program = undefined
	deps.onProcess(instance.id, undefined)
	return {why, healthyMs}
}

async function runBuiltin(deps: Parts, definition: KindOf<'builtin'>['builtin']): Promise<End> {
	const {instance, stopping, builtins, onTrouble, health} = deps
	const {id, name, access, listenPort} = instance
	try {
		deps.builtin = await builtins.start({definition, id, name, access, host: bindAddress(instance), port: listenPort, onTrouble})
	} catch (error) {
		return {why: error instanceof Error ? error.message : 'It could not be started.', healthyMs: 0}
	}
	const {program} = deps.instance
	// It may have been changed during its start.
	if (program.kind === 'builtin' && !same(program.builtin, definition)) deps.builtin.reload(program.builtin)
	await watch(deps, stopping)
	await deps.builtin.stop()
	deps.builtin = undefined
	return {why: '', healthyMs: health.healthyMs()}
}

/** The instance's own variables win, except for those of its address and identity. */
function environmentOf({instance, environment}: Parts): Readonly<Record<string, string>> {
	const own = instance.program.kind === 'managed' ? instance.program.environment : {}
	return {...environment, ...own, PORT: String(instance.listenPort), HOST: bindAddress(instance), [instanceVariable]: instance.id}
}

/** The address to listen on. */
function bindAddress({host, openPort}: Pick<Instance, 'host' | 'openPort'>) {
	if (!openPort) return host
	return host === '::1' ? '::' : '0.0.0.0'
}
