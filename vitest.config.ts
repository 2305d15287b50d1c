import {join} from 'node:path'

import {defineConfig} from 'vitest/config'

const all = ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts', 'build/**/*.test.ts']
const never = ['**/node_modules/**', 'build/layer-rule/planted/**']

/** Without processes, files and timers of their own: they share what they import, which costs more than they do. */
const pure = ['shared/**/*.test.ts', 'renderer/**/*.test.ts']

/** They bound real time, so nothing runs beside them. */
const timed = [
	'**/performance.test.ts',
	'build/start.test.ts',
	'electron/cli/forward.test.ts',
	'electron/core/app/app.test.ts',
	'electron/core/replicas/audit/audits.test.ts',
	'electron/core/replicas/directory/items.test.ts',
	'electron/gateway/forwarder/chain/{drain,http2,slow}.test.ts',
	'electron/gateway/forwarder/{server-failures,tunnel}.test.ts',
	'electron/core/record/incidents/long-log.test.ts',
	'electron/gateway/instances/config-file/config-file.test.ts',
	'electron/gateway/instances/orphans.test.ts',
	'electron/core/replicas/computers/write-thread.test.ts',
	'electron/core/app/procedures/instances.test.ts',
	'electron/core/replicas/trajectories/draw.test.ts',
	'electron/headless/{large-plan,server}.test.ts',
	'electron/sandbox/server.test.ts',
	'renderer/features/trajectory/layout.test.ts',
]

const builtThreads = join(import.meta.dirname, 'electron', 'core', 'base', 'testing', 'built-threads.ts')

export default defineConfig(({mode}) => ({
	// `npm run check` has built the program.
	resolve: {alias: mode === 'built' ? {'#core/base/threads.ts': builtThreads} : {}},
	test: {
		environment: 'node',
		globals: true,
		// A test writes nothing into the key store of whoever runs it.
		env: {CORDON_KEY_STORE: 'off'},
		pool: 'forks',
		// A test that hangs ends anyway; one on a machine with other work is given its time.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// A test that waits for real time is a defect: clocks come from ports.
		slowTestThreshold: 2_000,
		projects: [
			{
				extends: true,
				test: {name: 'unit', include: all, exclude: [...never, ...timed, ...pure], maxWorkers: '100%', sequence: {groupOrder: 0}},
			},
			{
				extends: true,
				test: {name: 'pure', include: pure, exclude: timed, isolate: false, maxWorkers: '100%', sequence: {groupOrder: 0}},
			},
			{extends: true, test: {name: 'timed', include: timed, exclude: never, maxWorkers: 1, sequence: {groupOrder: 1}}},
		],
	},
}))
