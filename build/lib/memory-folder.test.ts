import {memoryFolder} from './memory-folder.mjs'

test('temporary files are in memory only where programs in it run and nobody chose a folder', () => {
	const mounts = 'proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,noexec 0 0\n'
	expect(memoryFolder(mounts, {})).toEqual({})
	expect(memoryFolder('', {})).toEqual({})
	const open = mounts.replace(',noexec', '')
	const found = [2 ** 31, 2 ** 31 - 1].map(bytes => memoryFolder(open, {}, () => bytes))
	expect(found).toEqual([{TMPDIR: '/dev/shm'}, {}])
	expect(memoryFolder(open, {TMPDIR: '/elsewhere'})).toEqual({})
})
