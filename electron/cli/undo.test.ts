import {groupOf} from '#sandbox/testing/running.ts'
import {until} from '#base/testing/until.ts'

import {serviceBench, type ServiceBench} from './testing/service.ts'

const bench = serviceBench({computers: 300, seed: 'cli-undo'})

const cordon: ServiceBench['cordon'] = (argv, options) => bench.cordon(argv, options)

const groupNow = (guid: string) => groupOf(bench.sandbox, guid)

test('a job of moves is listed, shown with its calls, and undone', async () => {
	const {tenant} = bench.sandbox.world
	const to = tenant.groups.at(-1)?.guid ?? ''
	const largest = Object.values(Object.groupBy(tenant.hosts, ({guid}) => groupNow(guid))).toSorted(
		(one, other) => (other?.length ?? 0) - (one?.length ?? 0)
	)[0]
	const guids = (largest ?? []).slice(0, 6).map(({guid}) => guid)
	const before = guids.map(groupNow)
	expect((await cordon(['undo', 'list'])).out).toContain('No moves, policy or hash changes')
	const move = ['job', 'move', '--targets', '-', '--group', to, '--reason', 'tidying up', '--confirm', '6']
	const moved = await cordon([...move, '--json'], {stdin: guids.join('\n')})
	expect([moved.code, moved.err]).toEqual([0, ''])
	const [item] = (await bench.json('undo', 'list')).data
	expect(item).toMatchObject({kind: 'move', targets: 6, impossible: null})
	const shown = await cordon(['undo', 'show', item.id])
	expect(shown.out).toContain('6 changes to send')
	expect(guids.map(groupNow)).toEqual(Array(6).fill(to))
	const undone = await bench.json('undo', 'apply', item.id)
	expect([undone.code, undone.data.ended.length]).toEqual([0, 1])
	expect(guids.map(groupNow)).toEqual(before)
	expect((await cordon(['undo', 'list'])).out).toContain('undone')

	const [redo] = (await bench.json('undo', 'list')).data
	bench.sandbox.weather.set(['PATCH *=hang'])
	bench.sandbox.clearRequests()
	const left = until('a change', () => bench.sandbox.requests.some(({method}) => method === 'PATCH'))
	const {code, out} = await cordon(['undo', 'apply', redo.id, '--json'], {left})
	expect([code, JSON.parse(out).ok]).toEqual([130, false])
	bench.sandbox.weather.clear()
})

test('single changes are undone too: the earlier value is loaded first when no local data has it', async () => {
	const {tenant, directory} = bench.sandbox.world
	const [host] = tenant.hosts
	const guid = host?.guid ?? ''
	const [from, to] = [groupNow(guid), tenant.groups.findLast(group => group.guid !== groupNow(guid))?.guid ?? '']
	const list = tenant.lists.at(-1)?.guid ?? ''
	const hash = ['--file_list_guid', list, '--sha256', 'ab'.repeat(32)]
	const steps = [
		['svc_move_computer', guid, '--group_guid', to],
		['svc_set_file_list_files_by_sha', ...hash, '--description', 'from the bank'],
		['svc_delete_file_list_files_by_sha', ...hash]
	]
	for (const step of steps) {
		const {code, err} = await cordon(step)
		expect([step[0], code, err]).toEqual([step[0], 0, expect.not.stringContaining('cannot be undone')])
	}
	const items = (await bench.json('undo', 'list')).data
	expect(items.slice(0, 3)).toMatchObject([
		{kind: 'remove_hash', impossible: null},
		{kind: 'add_hash', impossible: null},
		{kind: 'move', impossible: null}
	])
	expect((await cordon(['undo', 'show', items[0].id])).out).toContain('from the bank')
	expect((await cordon(['undo', 'apply', items[2].id])).code).toBe(0)
	expect(groupNow(guid)).toBe(from)

	const at = tenant.groups.findIndex((group, index) => {
		const isLeaf = tenant.groups.every((_, other) => !directory.ancestry(other).includes(index))
		return isLeaf && directory.policy(index, 'windows').inherited
	})
	const policy = tenant.policies.find(each => each.product === 'windows' && each !== directory.policy(at, 'windows').policy)
	const group = tenant.groups[at]?.guid ?? ''
	const set = ['svc_set_group_policy', group, '--windows_policy_guid', policy?.guid ?? '', '--reason', 'test']
	const {code, err} = await cordon(set)
	expect([code, err]).toEqual([0, expect.stringMatching(/^This cannot be undone\. Its policy was inherited/)])
})

test('a group with subgroups needs its name typed, also without local data', async () => {
	const {tenant, directory} = bench.sandbox.world
	const parent = tenant.groups.find((_, index) => tenant.groups.some((_child, other) => directory.ancestry(other)[0] === index))
	const policy = tenant.policies.find(({product}) => product === 'linux')
	const set = ['svc_set_group_policy', parent?.guid ?? '', '--linux_policy_guid', policy?.guid ?? '', '--reason', 'x']
	bench.sandbox.clearRequests()
	const {code, err} = await cordon(set)
	expect([code, err]).toEqual([2, expect.stringContaining(`--confirm`)])
	expect(err).toContain(parent?.name)
	expect(bench.sandbox.requests.filter(({method}) => method !== 'GET')).toEqual([])
})

test('without a stored connection there is no undo list, which is said before the change', async () => {
	const {tenant} = bench.sandbox.world
	const hash = ['--file_list_guid', tenant.lists.at(-1)?.guid ?? '', '--sha256', 'cd'.repeat(32)]
	const {code, err} = await cordon(['svc_set_file_list_files_by_sha', ...hash, ...bench.service()])
	expect([code, err]).toEqual([0, expect.stringContaining('stored connections only')])
})

test('an unknown number is refused', async () => {
	const {code, err} = await cordon(['undo', 'show', 'nothing'])
	expect([code > 1, err]).toEqual([true, expect.stringContaining('not in the undo history')])
})
