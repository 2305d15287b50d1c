/** Builds page, Node side and preload into the folder given as argument. Runs in Node 24; `build/lib/dist.mjs` calls it. */
import {join} from 'node:path'

import {build} from 'vite'

import {at} from './lib/paths.mjs'

const target = process.argv[2]
if (target === undefined) throw new Error('Usage: bundle.mjs FOLDER')

try {
	for (const mode of ['page', 'node', 'threads', 'desktop', 'preload']) {
		const isBeside = mode === 'threads' || mode === 'desktop'
		await build({
			configFile: at('vite.config.ts'),
			mode,
			logLevel: 'warn',
			build: {outDir: join(target, isBeside ? 'node' : mode), emptyOutDir: !isBeside}
		})
	}
} catch (error) {
	process.stderr.write(`${error.message}\n`)
	process.exitCode = 1
}
