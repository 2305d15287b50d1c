import {at} from './paths.mjs'
import {runTool} from './run.mjs'

const scripts = {
	knip: ['knip', 'bin', 'knip.js'],
	oxfmt: ['oxfmt', 'bin', 'oxfmt'],
	oxlint: ['oxlint', 'bin', 'oxlint'],
	playwright: ['@playwright', 'test', 'cli.js'],
	tsc: ['typescript', 'bin', 'tsc'],
	vitest: ['vitest', 'vitest.mjs']
}

/** Runs a development tool with our own Node; its output goes to stderr. */
export function tool(node, name, args, options) {
	return runTool(node, [at('node_modules', ...scripts[name]), ...args], options)
}
