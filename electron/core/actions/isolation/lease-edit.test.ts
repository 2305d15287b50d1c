import {CordonError} from '#contract/errors.ts'

import type {LocalLog} from '#core/record/incidents/log.ts'
import {logOf} from '#core/record/incidents/testing/log-of.ts'
import type {Database} from '#core/store/database.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {extend, handOver, setTerm, type LeaseServices} from './lease-edit.ts'
import {openLeases} from './leases.ts'

const subject = {connection: {id: 'c1', name: 'ACME', url: 'https://acme.example'}, guid: 'g1', label: 'FIN-1'}

const aDay = {hours: 24, auto: true}

let world: World
let database: Database
let log: LocalLog
let services: LeaseServices

beforeEach(() => {
	world = createWorld()
	database = profileDatabase(world)
	log = logOf(world)
	services = {leases: openLeases(database), note: log.note, clock: world.clock, operator: 'ada'}
})

function lease() {
	const at = world.clock.now()
	const term = {hours: 4, auto: false}
	services.leases.begin({connection: 'c1', guid: 'g1', label: 'FIN-1', intent: 'i1', term, holder: 'ada', at})
}

const said = async () => (await log.query({limit: 10})).entries.map(({message}) => message)
const ends = () => services.leases.get('c1', 'g1')?.endsAt

test('a new length is in the log, and holds', async () => {
	lease()
	expect(setTerm(services, subject, aDay)).toMatchObject({auto: true})
	expect(await said()).toEqual([expect.stringContaining('Lease of FIN-1: ')])
	expect(ends()).toBe('2026-03-02T12:00:00.000Z')
})

test('a lease is extended where the service cannot be read', async () => {
	lease()
	const client = () => {
		throw new Error('stopped')
	}
	expect(await extend({...services, log, client}, subject, aDay)).toMatchObject({auto: true})
})

test.each(['UPDATE', 'INSERT'])('a change that the disk refuses with %s is not reported as done', async what => {
	if (what === 'UPDATE') lease()
	database.exec(`CREATE TRIGGER refused BEFORE ${what} ON lease BEGIN SELECT RAISE(ABORT, 'disk'); END`)
	expect(() => setTerm(services, subject, aDay)).toThrow(CordonError)
	expect(() => handOver(services, subject, {to: 'sam', note: ''})).toThrow(CordonError)
	expect(await said()).toEqual([])
})

test('a change that the log refuses is not made', async () => {
	lease()
	const note = () => {
		throw new CordonError('log_unavailable')
	}
	const silent = {...services, note}
	const before = ends()
	expect(() => setTerm(silent, subject, aDay)).toThrow('incident log')
	expect(() => handOver(silent, subject, {to: 'sam', note: ''})).toThrow('incident log')
	expect(services.leases.get('c1', 'g1')).toMatchObject({endsAt: before, holder: 'ada', auto: false})
	services.leases.end('c1', 'g1')
	expect(() => setTerm(silent, subject, aDay)).toThrow('incident log')
	expect(services.leases.get('c1', 'g1')).toBeUndefined()
})

test('a lease that ended while it was handed over is not handed over', async () => {
	lease()
	const {leases} = services
	const change: typeof leases.change = (...given) => {
		leases.end('c1', 'g1')
		return leases.change(...given)
	}
	expect(() => handOver({...services, leases: {...leases, change}}, subject, {to: 'sam', note: ''})).toThrow('no lease')
	expect(await said()).toEqual([])
})
