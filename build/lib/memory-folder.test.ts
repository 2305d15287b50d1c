import {memoryFolder} from './memory-folder.mjs'

test('temporary files are in memory only where programs in it run and nobody chose a folder', () => {
	const mounts = 'proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,noexec 0 0\n'
	expect(memoryFolder(mounts, {})).toEqual({})
	expect(memoryFolder('', {})).toEqual({})
	expect(memoryFolder(mounts.replace(',noexec', ''), {TMPDIR: '/elsewhere'})).toEqual({})
})
