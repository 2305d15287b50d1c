import type {JobSummary} from '#model/job.ts'
import type {Lease} from '#model/lease.ts'
import type {UndoItem} from '#model/undo-list.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {logOf, noteOf} from '../incidents/testing/log-of.ts'
import type {IncidentLog, NewEntry} from '../incidents/types.ts'
import {handoverOf, type HandoverSources} from './handover.ts'
import {handoverNote} from './note.ts'
import {handoverHtml, handoverMarkdown} from './render.ts'

let world: World
let log: IncidentLog

beforeEach(() => {
	world = createWorld()
	log = logOf(world)
})

const lease: Lease = {
	connection: 'c1',
	guid: 'g1',
	label: 'FIN-7',
	intent: 'i',
	startedAt: '2026-03-01T11:00:00.000Z',
	endsAt: '2026-03-01T15:00:00.000Z',
	auto: false,
	holder: 'ada',
	note: '',
	state: 'held',
	trouble: null
}
const job = {
	id: 'j1',
	title: 'Move 12 computers',
	startedAt: '2026-03-01T11:30:00.000Z',
	startedBy: 'ada',
	endedAt: null,
	targets: 12,
	counts: {waiting: 2, sending: 0, accepted: 1, done: 6, nothing_to_do: 3, failed: 0, unknown: 0, not_tried: 0, not_confirmed: 0},
	because: null,
	phase: 'running'
} as unknown as JobSummary
const lasting: UndoItem = {
	id: 'job:j0',
	kind: 'move',
	at: '2026-03-01T11:00:00.000Z',
	by: 'ada',
	title: 'Moved 2 computers.',
	targets: 2,
	reads: 1,
	impossible: 'Nobody knows where they were before.',
	undoneAt: null,
	until: ''
}

function sources(change: Partial<HandoverSources> = {}): HandoverSources {
	return {
		connection: {id: 'c1', name: 'Acme'},
		operator: 'ada',
		now: world.clock.now(),
		log,
		leases: [lease],
		inventory: {pending: () => [{guid: 'g2', label: 'G2', status: 'pending_stop', since: '2026-03-01T11:50:00.000Z'}]},
		jobs: [job, {...job, id: 'j2', endedAt: '2026-03-01T11:40:00.000Z'}],
		undo: [lasting, {...lasting, id: 'x', impossible: null}, {...lasting, id: 'y', undoneAt: 'now'}],
		...change
	}
}

const connection = {id: 'c1', name: 'Acme', url: ''}
const request = {incident: null, hours: 12}
const pin = (id: string, reason = '') => log.setPinned({id, pinned: true, reason, incident: null, surface: 'screen'})
const note = (...how: Parameters<typeof noteOf>) => log.append(noteOf(...how))

test('holds everything open, lasting, pinned and noted in the shift', async () => {
	const old = await note('before the shift')
	await pin(old.id)
	const lost = {kind: 'command.outcome_unknown', surface: 'cli', connection} as const
	await log.append({...lost, about: 'i1', message: 'Still unknown.'})
	await log.append({...lost, about: 'i2', message: 'Confirmed since.'})
	await world.clock.advance(13 * 3_600_000)
	await log.append({...lost, kind: 'command.observed', about: 'i2', message: 'FIN-7 is isolated.'})
	const seen = await note('called the owner')
	await pin(seen.id, 'he knows')
	const beta = {id: 'c2', name: 'Beta', url: ''}
	await log.append({...lost, message: 'No answer came.'})
	await log.append({...lost, connection: beta, message: 'Of another tenant.'})
	await note('not here', {connection: beta})
	const shifted = {...lasting, at: new Date(world.clock.now()).toISOString()}
	const leases: Lease[] = [lease, {...lease, label: 'FIN-8', state: 'asked'}]
	const late = {...shifted, impossible: null, until: shifted.at}
	const {parts, since} = await handoverOf(sources({leases, undo: [shifted, lasting, late]}), request)
	const texts = Object.fromEntries(Object.entries(parts).map(([part, lines]) => [part, lines.map(({text}) => text)]))
	expect(since).toBe('2026-03-01T13:00:00.000Z')
	expect(texts).toEqual({
		leases: ['FIN-7: ', 'FIN-8: outcome unknown; '].map(start => `${start}manual release; Cordon sends a reminder at expiry. Owner: ada.`),
		pending: ['G2: release not confirmed.'],
		jobs: ['Move 12 computers by ada: running, 7 of 12 sent.'],
		unknown: ['ada: Still unknown.', 'ada: No answer came.'],
		lasting: ['Nobody knows where they were before.', 'The time to undo it is over.'].map(why => `Moved 2 computers. ada. ${why}`),
		pinned: ['ada: called the owner. Kept because: he knows'],
		notes: ['ada: called the owner']
	})
})

test('no outcome of an isolation or a move is unknown once something tells the state of its computer', async () => {
	const tell = (way: 'put' | 'delete', guid: string, kind: NewEntry['kind'], state?: string) => {
		const about = {command: `svc_${way}_computers_isolation`, target: {guid, label: guid}, connection}
		return log.append({...about, kind, surface: 'cli', message: guid, data: {state}})
	}
	const lost = 'command.outcome_unknown'
	await tell('put', 'theirs', lost, 'isolated')
	await tell('delete', 'lingers', 'command.succeeded', 'isolated')
	await tell('put', 'lingers', lost, 'isolated')
	await tell('delete', 'held', lost, 'isolated')
	await tell('put', 'held', lost, 'isolated')
	await tell('put', 'pending', lost, 'pending_start')
	for (const guid of ['left', 'again', 'freed']) await tell('put', guid, lost)
	await tell('put', 'again', 'command.observed', 'isolated')
	await tell('delete', 'freed', 'command.succeeded', 'not_isolated')
	await tell('put', 'again', lost, 'not_isolated')
	const move = {command: 'svc_move_computer', connection, surface: 'cli'} as const
	for (const guid of ['moved', 'lost']) await log.append({...move, kind: lost, target: {guid, label: guid}, message: guid})
	await tell('put', 'lost', 'command.observed', 'isolated')
	await log.append({...move, kind: 'command.succeeded', target: {guid: 'moved', label: ''}, message: ''})
	const {parts} = await handoverOf(sources(), request)
	expect(parts.unknown.map(({text}) => text)).toEqual(['lingers', 'held', 'held', 'pending', 'left', 'again', 'lost'].map(guid => `ada: ${guid}`))
})

test('of an incident has its evidence whenever it was pinned, and nothing of another one', async () => {
	const incident = await log.openIncident({title: 'Beacon', reference: ''}, 'screen')
	const mine = await note('mine', {incident: incident.id})
	await note('another')
	await pin(mine.id)
	await world.clock.advance(100 * 3_600_000)
	const handover = await handoverOf(sources(), {incident: incident.id, hours: 12})
	expect(handover.incident).toBe('Beacon')
	expect(handover.parts.pinned.map(({text}) => text)).toEqual(['ada: mine'])
	expect(handover.parts.notes).toEqual([])
})

test('gives the total where it lists only some', async () => {
	await Promise.all(Array.from({length: 1060}, (_, number) => note(`note ${number}`)))
	const handover = await handoverOf(sources(), request)
	expect(handover.parts.notes).toHaveLength(50)
	expect(handover.cut).toEqual({notes: 1060})
	expect(handover.parts.notes.at(-1)?.text).toContain('note 1059')
	expect(handoverMarkdown(handover, '')).toContain('These are the last of 1060.')
	expect(handoverNote(handover, '', null, 'screen').data).toMatchObject({handover: {notes: 1060}})
})

test('as Markdown and as a page quotes foreign texts literally, and keeps a list of next steps', async () => {
	await note('# <img src=x> [link](http://evil)\n---\nthen')
	const handover = await handoverOf(sources(), request)
	const text = handoverMarkdown(handover, '- call *FIN*\n- wait')
	expect(text).toMatch(/^# Shift handover of Acme\n/)
	expect(text).toContain('## Next steps\n\n- call \\*FIN\\*  \n- wait\n')
	expect(text).toContain('until 2026-03-01 15:00:00 FIN-7: manual release')
	expect(text).toContain('\\# \\<img src=x\\> \\[link\\](http://evil)  \n  \\---  \n  then\n')
	const page = handoverHtml(handover, '<script>1</script>')
	expect(page).toContain('&lt;script&gt;1')
	expect(page).not.toMatch(/<script|<img/)
	expect(page).toContain("default-src 'none'")
})

test('in the log is a note with the number of open items', async () => {
	const entry = handoverNote(await handoverOf(sources(), request), ' call FIN ', null, 'screen')
	expect(entry).toMatchObject({kind: 'note', message: 'Shift handover, 3 open. Next steps: call FIN'})
	expect(entry.data).toMatchObject({handover: {leases: 1, pending: 1, jobs: 1, unknown: 0}})
})
