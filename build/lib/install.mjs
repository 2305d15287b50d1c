import {createHash} from 'node:crypto'
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {withLock} from './lock.mjs'
import {at, cached} from './paths.mjs'
import {readIfThere} from './read-json.mjs'
import {runTool} from './run.mjs'
import {say, step} from './say.mjs'

/** The Node that runs everything, from the npm package `node`. */
const wantedMajor = 24
const ownNode = at('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const marker = at('node_modules', '.cordon-lockfile')
const hiddenLockfile = at('node_modules', '.package-lock.json')

/**
 * Makes sure that `node_modules` matches the lockfile and that a Node of the right version is there. Returns the path of
 * that Node. `quiet` shows npm's output only after a failure.
 */
export async function ensureInstalled({quiet = false} = {}) {
	if (!isInstalled()) {
		await withLock(
			cached('setup.lock'),
			() => isInstalled() || install(quiet),
			pid => say(`Waiting for another set-up (process ${pid ?? 'unknown'}).`)
		)
	}
	return nodeBinary()
}

function isInstalled() {
	if (!existsSync(hiddenLockfile)) return false
	if (readIfThere(marker) === lockfileHash()) return true
	// Somebody ran npm by hand after the lockfile changed.
	return statSync(hiddenLockfile).mtimeMs >= statSync(at('package-lock.json')).mtimeMs
}

async function install(quiet) {
	await step('Installing packages (npm ci)', () => {
		const result = npm(['ci', '--no-audit', '--no-fund'], quiet)
		if (!result.ok) throw new Error(`npm ci failed with exit code ${result.status}.\n${result.output}`)
		writeFileSync(marker, lockfileHash())
	})
}

function nodeBinary() {
	if (isRightNode(ownNode)) return ownNode
	say('The Node runtime in node_modules is missing; repairing it.')
	npm(['rebuild', 'node'], true)
	if (isRightNode(ownNode)) return ownNode
	if (Number.parseInt(process.versions.node, 10) >= wantedMajor) return process.execPath
	throw new Error(
		`Cordon needs Node ${wantedMajor} and found ${process.version}; the package that brings it (node_modules/node) could not be set up. ` +
			`Install Node ${wantedMajor}, or allow that package's install script, and try again.`
	)
}

/** npm's shim is a shell script on Windows; the path of npm's own file is in the environment when npm started us. */
export function npm(args, quiet) {
	const cli = process.env.npm_execpath ?? join(process.execPath, '..', '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
	// `npm start --silent` would silence this npm too, errors included.
	const said = [...args, '--loglevel=error']
	if (/\.c?js$/.test(cli) && existsSync(cli)) return runTool(process.execPath, [cli, ...said], {quiet})
	return runTool('npm', said, {quiet, shell: process.platform === 'win32'})
}

function isRightNode(path) {
	try {
		// The complete file has 100 MB; a package whose script did not run leaves none, or a broken one.
		return statSync(path).size > 10_000_000
	} catch {
		return false
	}
}

function lockfileHash() {
	return createHash('sha256')
		.update(readFileSync(at('package-lock.json')))
		.digest('hex')
}
