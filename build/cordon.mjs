#!/usr/bin/env node
/** `npm run -s cordon -- ARGS`: the command line from the checkout. Sets itself up silently unless that fails. */
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runInPlace} from './lib/run.mjs'

main(async () => {
	const node = await ensureInstalled({quiet: true})
	await ensureBuilt(node, {quiet: true})
	return runInPlace(node, [at('dist', 'node', 'cli.js'), ...process.argv.slice(2)])
})
