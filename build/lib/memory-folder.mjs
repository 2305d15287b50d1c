import {statfsSync} from 'node:fs'

import {readIfThere} from './read-json.mjs'

const leastBytes = 2 ** 31

/**
 * For the environment of tests: temporary files where no flush waits for a disk, which half of a profile's start is. Only on
 * Linux, where programs in it run and there is room, and not where somebody chose another folder.
 */
export function memoryFolder(mounts = readIfThere('/proc/mounts'), {TMPDIR} = process.env, bytes = freeBytes) {
	if (TMPDIR !== undefined || !/^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(mounts ?? '')) return {}
	return bytes() < leastBytes ? {} : {TMPDIR: '/dev/shm'}
}

function freeBytes() {
	const {bavail, bsize} = statfsSync('/dev/shm')
	return bavail * bsize
}
