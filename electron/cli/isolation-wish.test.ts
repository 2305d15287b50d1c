import {join} from 'node:path'

import {leaseEnd} from '#text/isolation.ts'

import {readGlobals} from './globals.ts'
import {withSession} from './session.ts'
import {makeHost, type Ran} from './testing/run.ts'
import {serviceBench} from './testing/service.ts'

let profile: string
let computers: string[]

const bench = serviceBench({computers: 300, seed: 'wish'}, async () => {
	profile = join(bench.folder, 'profile')
	const {data}: {data: Listed[]} = await bench.json('svc_get_computers', '--all')
	computers = data.filter(isFresh).map(one => one.connector_guid)
})

interface Listed {
	connector_guid: string
	operating_system: string
	isolation?: {available: boolean; status: string}
}

function isFresh({operating_system: system, isolation}: Listed) {
	return isolation?.available === true && isolation.status === 'not_isolated' && !system.includes('Server')
}

describe('code and lease of an isolation', () => {
	const isolate = async (...more: string[]): Promise<Ran & {guid: string; sent: number}> => {
		const [guid = '', ...rest] = computers
		computers = rest
		bench.sandbox.clearRequests()
		const ran = await bench.cordon(['svc_put_computers_isolation', guid, '--comment', 'beaconing', ...more])
		return {...ran, guid, sent: bench.sandbox.requests.filter(({method}) => method === 'PUT').length}
	}
	const revealed = async (guid: string) => (await bench.json('svc_get_computers_isolation', guid, '--reveal', '--reason', 'test')).unlock_code
	const keptOf = (guid: string) =>
		withSession(readGlobals(new Map([['profile', [profile]]])), makeHost({}).host, 'stores', async session => {
			const {leases, codes} = session.profile.escrow
			const [connection] = session.profile.connections.list()
			const sealed = codes.newest(connection?.id ?? '', guid)
			return {lease: leases.get(connection?.id ?? '', guid), sealed, code: sealed === undefined ? undefined : await codes.open(sealed.id)}
		})

	it('by default no code is sent, and the lease follows the guard rules', async () => {
		const {guid, err} = await isolate()
		expect(await revealed(guid)).toMatch(/^[a-z]{6}$/)
		expect(err).toContain(`Lease: 24 hours; ${leaseEnd(true, false)}.`)
		const {lease, sealed} = await keptOf(guid)
		expect(sealed).toBeUndefined()
		expect(lease).toMatchObject({state: 'held', auto: false})
		expect(Date.parse(lease?.endsAt ?? '') - Date.parse(lease?.startedAt ?? '')).toBe(24 * 3_600_000)
	})

	it('a random code is encrypted, sent, and never printed; each computer gets its own', async () => {
		const first = await isolate('--code', 'generated', '--lease', '7d', '--auto-release')
		const {lease, sealed, code = ''} = await keptOf(first.guid)
		expect(sealed).toMatchObject({made: 'generated', state: 'in_use'})
		expect(code).toMatch(/^[A-Z3-9]{16}$/)
		expect(await revealed(first.guid)).toBe(code)
		expect(first.out + first.err).not.toContain(code)
		expect(first.err).toContain(`Lease: 7 days; ${leaseEnd(true, true)}.`)
		expect(lease).toMatchObject({auto: true})
		const second = await isolate('--code', 'generated', '--lease', 'none', '--json')
		const kept = await keptOf(second.guid)
		expect(kept.lease).toMatchObject({endsAt: null})
		expect(kept.code).not.toBe(code)
		expect(second.out + second.err).not.toContain(kept.code)
	})

	it('an impossible lease is refused, and nothing is sent', async () => {
		for (const more of [
			['--lease', '4h', ...bench.service()],
			['--lease', 'none', '--auto-release'],
			['--lease', 'soon'],
			['--code', 'generated', '--unlock_code', 'mine']
		]) {
			const {code, sent} = await isolate(...more)
			expect([more, code, sent]).toEqual([more, 2, 0])
		}
		const {code, guid, err} = await isolate(...bench.service())
		expect([code, err]).toEqual([0, expect.stringContaining('No lease is kept')])
		expect((await keptOf(guid)).lease).toBeUndefined()
	})
})
