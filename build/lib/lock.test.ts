import {spawnSync} from 'node:child_process'
import {existsSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {withLock} from './lock.mjs'
import {testFolder} from '#base/testing/folder.ts'

let folder: string
let path: string
beforeEach(() => {
	folder = testFolder()
	path = join(folder, 'lock')
})
test('one works at a time; the other waits and learns for whom', async () => {
	const order: string[] = []
	let finish = (): void => undefined
	const first = withLock(path, async () => {
		order.push('first begins')
		await new Promise<void>(resolve => (finish = resolve))
		order.push('first ends')
	})
	await Promise.resolve()
	const second = withLock(
		path,
		async () => void order.push('second'),
		(pid: number | undefined) => {
			expect(pid).toBe(process.pid)
			finish()
		}
	)
	await Promise.all([first, second])
	expect(order).toEqual(['first begins', 'first ends', 'second'])
})

test('the lock is free after a failure', async () => {
	await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
	expect(existsSync(path)).toBe(false)
})

test('the lock of a dead process is taken over', async () => {
	const {pid} = spawnSync(process.execPath, ['-e', ''])
	writeFileSync(path, String(pid))
	expect(await withLock(path, async () => 'mine')).toBe('mine')
})

test('an empty lock counts while it is fresh, and not when it is old', async () => {
	writeFileSync(path, '')
	utimesSync(path, 1, 1)
	expect(await withLock(path, async () => 'mine')).toBe('mine')
})
