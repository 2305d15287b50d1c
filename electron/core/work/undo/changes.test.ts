import {computedMs} from '#base/testing/cpu.ts'
import {logOf} from '#core/record/incidents/testing/log-of.ts'
import {createWorld} from '#core/store/testing/world.ts'
import {readChanges} from './changes.ts'
import type {UndoServices} from './types.ts'
import {openUndo} from './undo.ts'

/** Milliseconds for each hash taken off a list. */
async function costOfEach(hashes: number) {
	const world = createWorld()
	const log = logOf(world)
	const shared = {surface: 'screen', message: '', connection: {id: 'c1', name: 'Acme', url: ''}, data: {job: 'j'}} as const
	const command = 'svc_delete_file_list_files_by_sha'
	const change = async (sha256: number) => {
		const {id: about} = await log.append({...shared, kind: 'command.requested', command, args: {sha256}})
		await log.append({...shared, kind: 'command.succeeded', command, about})
	}
	await Promise.all(Array.from({length: hashes}, (_, hash) => change(hash)))
	const before = computedMs()
	const [read] = await readChanges({log, clock: world.clock}, 'c1')
	const ms = computedMs() - before
	expect(read?.targets).toHaveLength(hashes)
	await log.stop()
	return ms / hashes
}

test('each target of a large job costs as much as one of a small job', async () => {
	await costOfEach(500)
	const small = await costOfEach(500)
	expect(await costOfEach(8000)).toBeLessThan(small * 2)
})

test('a list of very many changes lets others have the thread in between', async () => {
	const world = createWorld()
	const log = logOf(world)
	const shared = {surface: 'screen', message: '', command: 'svc_set_file_list_files_by_sha', connection: {id: 'c1', name: '', url: ''}} as const
	for (let hash = 0; hash < 50; hash += 1) {
		const {id: about} = await log.append({...shared, kind: 'command.requested'})
		await log.append({...shared, kind: 'command.succeeded', about})
	}
	const connections = {find: () => ({id: 'c1'}), client: () => {}}
	const given = {...world, log, connections, jobs: {open: () => []}, inventory: () => {}} as unknown as UndoServices
	let [time, turns] = [0, 0]
	const slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 9))
	onTestFinished(() => slow.mockRestore())
	const count = () => setImmediate(() => (turns += 1) < 50 && count())
	count()
	await openUndo(given).list('c1')
	expect(turns).toBeGreaterThan(9)
})
