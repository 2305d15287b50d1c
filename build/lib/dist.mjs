import {existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'

import {withLock} from './lock.mjs'
import {at, cached, root} from './paths.mjs'
import {readIfThere} from './read-json.mjs'
import {runTool} from './run.mjs'
import {say, step} from './say.mjs'
import {contentOf, signatureOf, sourceFiles} from './sources.mjs'

const keepBuilds = 5
/** A running program may still load parts of an older build. */
const keepForMs = 3_600_000

/**
 * Makes sure that `dist` matches the sources. Each build has a folder of its own in `.cache/builds`, and `dist` is a link
 * that is switched when the build is complete. So a parallel start never sees half a build, and a program keeps the files of
 * its older build until it ends.
 */
export async function ensureBuilt(node, {quiet = false} = {}) {
	if (isFresh()) return
	await withLock(
		cached('build.lock'),
		() => isFresh() || build(node, quiet),
		pid => quiet || say(`Waiting for another build (process ${pid ?? 'unknown'}).`)
	)
}

function isFresh() {
	if (!existsSync(at('dist', 'stamp.json'))) return false
	const paths = sourceFiles()
	const signature = signatureOf(paths)
	if (readIfThere(cached('built-from')) === signature) return true
	// Touched, but perhaps not changed.
	if (JSON.parse(readIfThere(at('dist', 'stamp.json')) ?? '{}').content !== contentOf(paths)) return false
	writeFileSync(cached('built-from'), signature)
	return true
}

async function build(node, quiet) {
	const paths = sourceFiles()
	const [signature, content] = [signatureOf(paths), contentOf(paths)]
	const work = async () => {
		const target = join(cached('builds'), `${content}-${process.pid}`)
		bundle(node, target, quiet)
		writeFileSync(join(target, 'package.json'), '{ "type": "module" }\n')
		writeFileSync(join(target, 'stamp.json'), JSON.stringify({content}))
		publish(target)
		writeFileSync(cached('built-from'), signature)
		prune(target)
	}
	await (quiet ? work() : step('Building', work))
}

function bundle(node, target, quiet) {
	rmSync(target, {recursive: true, force: true})
	mkdirSync(target, {recursive: true})
	// What starts the build may be a test.
	const env = {...process.env, NODE_ENV: 'production', NO_COLOR: '1'}
	const result = runTool(node, [at('build', 'bundle.mjs'), target], {quiet: true, env})
	if (!result.ok) {
		rmSync(target, {recursive: true, force: true})
		throw new Error(`The build failed.\n${result.output}`)
	}
	if (!quiet && process.env.CORDON_VERBOSE !== undefined) say(result.output)
}

function publish(target) {
	const link = at('dist')
	const next = cached(`dist-${process.pid}`)
	rmSync(next, {force: true})
	// Relative, so that the checkout can be moved; a junction must be absolute.
	if (process.platform === 'win32') symlinkSync(target, next, 'junction')
	else symlinkSync(relative(root, target), next, 'dir')
	// A folder of an older checkout, or Windows, where a link cannot be renamed over another.
	if (existsSync(link) && (process.platform === 'win32' || !lstatSync(link).isSymbolicLink())) rmSync(link, {recursive: true})
	renameSync(next, link)
}

function prune(current) {
	const builds = readdirSync(cached('builds')).map(name => join(cached('builds'), name))
	const ages = builds.map(path => ({path, ageMs: Date.now() - statSync(path).mtimeMs}))
	const old = ages.filter(({path}) => path !== current).toSorted((a, b) => a.ageMs - b.ageMs)
	const gone = old.slice(keepBuilds - 1).filter(({ageMs}) => ageMs > keepForMs)
	for (const {path} of gone) rmSync(path, {recursive: true, force: true})
}
