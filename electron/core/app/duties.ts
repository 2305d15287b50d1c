/** Background duties of the process that owns the console, until the application ends. */
import {takeBack} from '#core/service/settings/notices.ts'
import {watchOrphans} from '#core/actions/commands/orphans.ts'
import type {Connection} from '#model/connection.ts'
import {every} from '#base/every.ts'
import {anchorEveryMs} from '#core/record/incidents/anchor.ts'
import {attentionOf} from '#core/insight/overview/attention.ts'
import {makeAttentionWatch} from '#core/service/settings/attention-watch.ts'
import {overviewFacts} from './procedures/overview.ts'
import {countsText} from '#text/acts.ts'
import {type Services, shownConnections} from './services.ts'

export function takeUpDuties(services: Services) {
	services.registry.keepFresh(() => shownConnections(services).map(({id}) => id))
	lookAfterOrphans(services)
	holdLogEnd(services)
	watchAttention(services)
	tellEndsOfJobs(services)
	recoverJobs(services)
	watchManaged(services)
	followStreams(services)
	lookAtAutomations(services)
	sendToTargets(services)
	openDoor(services)
	lookAfterApprovals(services)
}

/** Works at once, then at every interval; returns the work. */
function keepUp(
	{ports, ended, onTrouble}: Pick<Services, 'ports' | 'ended' | 'onTrouble'>,
	everyMs: number,
	work: () => Promise<void>,
	trouble: string
) {
	const look = () => work().catch((error: unknown) => onTrouble(trouble, error))
	void look().then(() => every(ports.clock, everyMs, ended.signal, look))
	return look
}

/** A local API that cannot listen says so in its state. */
function openDoor({doors, onTrouble}: Services) {
	doors.serve().catch((error: unknown) => onTrouble('The local API cannot be served.', error))
}

function lookAfterOrphans({ports, profile, ended, onTrouble}: Services) {
	const {log, locks, escrow} = profile
	void watchOrphans({log, locks, codes: escrow.codes, onTrouble}, ports.clock, ended.signal)
}

function holdLogEnd({ports, profile, ended}: Services) {
	void every(ports.clock, anchorEveryMs, ended.signal, profile.log.holdEnd)
}

/** Continues the jobs that an ended process left. */
function recoverJobs({jobs, onTrouble}: Services) {
	jobs.recover().catch((error: unknown) => onTrouble('Work that was left could not go on.', error))
}

const streamsEveryMs = 15_000

/** Includes streams that another process creates or deletes; one that another process reads is taken over when that ends. */
function followStreams(services: Services) {
	keepUp(services, streamsEveryMs, services.streams.followAll, 'Event streams are not read.')
}

const automationsEveryMs = 10_000

/** Times missed while no console ran are reported at the start. */
function lookAtAutomations(services: Services) {
	const {automations, bus, ended} = services
	const look = keepUp(services, automationsEveryMs, automations.look, 'Schedules and rules were not looked at.')
	bus.on('replica.changed', ({replica}) => {
		if (replica === 'events' && !ended.signal.aborted) void look()
	})
}

function sendToTargets(services: Services) {
	keepUp(services, streamsEveryMs, services.targets.sendAll, 'Nothing is sent to targets.')
}

interface EndDependencies extends Pick<Services, 'bus' | 'onTrouble'> {
	jobs: Pick<Services['jobs'], 'get'>
	notices: Pick<Services['notices'], 'raise'>
}

/** Notifies operators of the end of a job, and of one that cannot continue. */
export function tellEndsOfJobs({bus, jobs, notices, onTrouble}: EndDependencies) {
	const told = new Set<string>()
	const look = async (id: string, connection: string) => {
		const {endedAt, phase, title, counts, because} = (await jobs.get(id)).summary
		const isOver = endedAt !== null || phase === 'interrupted'
		if (!isOver) return void told.delete(id)
		if (told.has(id)) return
		told.add(id)
		const what = endedAt === null ? 'could not go on' : 'ended'
		const body = [`${countsText(counts)}.`, because ?? ''].join(' ').trim()
		const open = counts.failed + counts.unknown + counts.not_confirmed + counts.not_tried
		const urgency = phase === 'done' && open === 0 ? 'know' : 'soon'
		notices.raise({kind: 'job_finished', title: `Job ${what}: ${title}`, body, open: `/jobs/${id}`, urgency, connection})
	}
	bus.on('job.changed', ({job, connection}) => {
		look(job, connection).catch((error: unknown) => onTrouble('The end of a job could not be told.', error))
	})
}

const attentionEveryMs = 60_000

type AttentionDependencies = Parameters<typeof overviewFacts>[0] &
	Parameters<typeof shownConnections>[0] &
	Pick<EndDependencies, 'notices' | 'onTrouble'> &
	Pick<Services, 'ended'>

/** Notifies of what needs attention on the connections that are shown. */
export function watchAttention(services: AttentionDependencies) {
	const {ports, notices, ended, onTrouble} = services
	const watch = makeAttentionWatch(notices.raise)
	const trouble = (error: unknown) => {
		if (!ended.signal.aborted) onTrouble('What needs attention could not be told.', error)
	}
	const lookAt = async (connection: Connection) => {
		const attention = await attentionOf(await overviewFacts(services, connection.id))
		if (!ended.signal.aborted) watch.look(connection, attention, ports.clock.now())
	}
	const lookAtAll = async () => {
		for (const connection of shownConnections(services)) await lookAt(connection).catch(trouble)
	}
	void every(ports.clock, attentionEveryMs, ended.signal, () => lookAtAll().catch(trouble))
}

const approvalsEveryMs = 15_000

type ApprovalDependencies = Parameters<typeof keepUp>[0] &
	Pick<EndDependencies, 'bus' | 'notices'> & {profile: {approvals: Pick<Services['profile']['approvals'], 'list' | 'sweep'>}}

/** Notifies of each request, and again once its content is another. */
export function lookAfterApprovals(services: ApprovalDependencies) {
	const {bus, notices} = services
	const {approvals} = services.profile
	const told = new Map<string, () => void>()
	const tell = () => {
		const waiting = new Map(approvals.list(['pending']).flatMap(one => (one.state === 'pending' ? [[`${one.id} ${one.digest}`, one]] : [])))
		for (const [content, {id, title, requester, connection}] of waiting) {
			if (told.has(content)) continue
			const body = `${requester} asks for approval ${id}.`
			const notice = {title: `Approval needed: ${title}`, body, open: '/approvals', connection: connection.id}
			told.set(content, notices.raise({kind: 'approval_waits', ...notice}))
		}
		takeBack(told, waiting)
	}
	bus.on('approvals.changed', tell)
	keepUp(services, approvalsEveryMs, () => approvals.sweep(), 'Approvals could not be looked after.')
}

const managedEveryMs = 2_000

/** Tells the page and the log when the administrator's file changes. */
function watchManaged({ports, profile, bus, ended, onTrouble}: Services) {
	if (ports.managedFile === undefined) return
	const {managed} = profile
	let told = managed.generation()
	void every(ports.clock, managedEveryMs, ended.signal, () => {
		const now = managed.generation()
		try {
			managed.note()
		} catch (error) {
			onTrouble('The change of the managed configuration could not be written down.', error)
		}
		if (now === told) return
		told = now
		bus.emit({kind: 'managed.changed'})
	})
}
