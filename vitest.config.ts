import {availableParallelism} from 'node:os'
import {join} from 'node:path'

import {defineConfig} from 'vitest/config'

import {memoryFolder} from './build/lib/memory-folder.mjs'

const all = ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts', 'build/**/*.test.ts']
const never = ['**/node_modules/**', 'build/layer-rule/planted/**']

/** They bound real time or memory, so nothing runs beside them. */
const timed = ['**/performance.test.ts', 'electron/gateway/instances/list/long-list.test.ts']

const builtThreads = join(import.meta.dirname, 'electron', 'core', 'base', 'testing', 'built-threads.ts')

export default defineConfig(({mode}) => ({
	// `npm run check` has built the program.
	resolve: {alias: mode === 'built' ? {'#base/threads.ts': builtThreads} : {}},
	test: {
		environment: 'node',
		globals: true,
		// A test writes nothing into the key store of whoever runs it. Processes that it starts share what they compile.
		env: {CORDON_KEY_STORE: 'off', NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled')},
		pool: 'forks',
		// A test that hangs ends anyway; one on a machine with other work is given its time.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: {poll: {interval: 10, timeout: 120_000}},
		// A test that waits for real time is a defect: clocks come from ports.
		slowTestThreshold: 2_000,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					include: all,
					exclude: [...never, ...timed],
					env: memoryFolder(),
					isolate: false,
					// A fifth of their time is waiting for processes and the disk.
					maxWorkers: Math.ceil(availableParallelism() * 1.5),
					sequence: {groupOrder: 0}
				}
			},
			{extends: true, test: {name: 'timed', include: timed, exclude: never, maxWorkers: 1, sequence: {groupOrder: 1}}}
		]
	}
}))
