/**
 * `node build/screenshots.mjs [--all | --docs] [--only part,part] [--dist folder]`: pictures of the real page with an index,
 * in `gallery/`, which Git ignores. The headless console shows its own sandbox tenant, in a temporary profile. `--all` adds
 * pictures for review alone: wide screens, empty and failed states. `--docs` takes the few of the documents, into
 * `docs/images`: of the window, where Electron can open one.
 */
import {copyFileSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {parseArgs} from 'node:util'

import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {say} from './lib/say.mjs'
import {writeGallery} from './screenshots/gallery.mjs'
import {showComputer, showComputers, showIsolation, showTrajectory} from './screenshots/computers.mjs'
import {showEditor, showFileLists, showGroups, showPolicies} from './screenshots/directory.mjs'
import {showDetections, showEvents, showOverview, showSearch} from './screenshots/hunting.mjs'
import {showInstances} from './screenshots/instances.mjs'
import {showJobs} from './screenshots/jobs.mjs'
import {launch, startConsole, startWindow} from './screenshots/running.mjs'
import {listIsRead, makeStage, small} from './screenshots/stage.mjs'
import {showAdapted, showEmpty, showFailed, showFirstStart} from './screenshots/states.mjs'
import {showCommandLine, showConnections, showLog, showPalette, showPlaybooks, showSettings} from './screenshots/work.mjs'

/** In the order in which a person meets them; each begins on its own screen. */
const parts = {
	overview: showOverview,
	computers: showComputers,
	computer: showComputer,
	trajectory: showTrajectory,
	detections: showDetections,
	events: showEvents,
	search: showSearch,
	isolation: showIsolation,
	lists: showFileLists,
	editor: showEditor,
	groups: showGroups,
	policies: showPolicies,
	line: showCommandLine,
	log: showLog,
	playbooks: showPlaybooks,
	connections: showConnections,
	settings: showSettings,
	palette: showPalette,
	// Last: one instance's service does not answer while a picture is made small.
	instances: showInstances
}

/** They start programs of their own. */
const others = {first: showFirstStart, jobs: showJobs, failed: showFailed, empty: showEmpty, adapted: showAdapted}

main(async () => {
	const options = {
		all: {type: 'boolean', default: false},
		docs: {type: 'boolean', default: false},
		only: {type: 'string'},
		dist: {type: 'string'}
	}
	const {values} = parseArgs({options})
	const node = await ensureInstalled()
	if (values.dist === undefined) await ensureBuilt(node)
	const folder = at('gallery')
	const isForLooking = values.all
	const wanted = values.only?.split(',') ?? partsOf(values)
	mkdirSync(folder, {recursive: true})
	const program = {node, dist: resolve(values.dist ?? at('dist'))}
	const browser = await launch(node)
	const what = {program, browser, folder, isForLooking}
	const takeOn = values.docs ? onWindow : onConsole
	const take = (profile, args, work) => takeOn(what, profile, args, work)
	let failures = 0
	const attempt = async (name, work) => {
		try {
			await work()
		} catch (cause) {
			failures += 1
			say(`${name}: ${cause.message}`)
		}
	}
	try {
		const shown = wanted.filter(name => name in parts)
		if (shown.length > 0)
			await inProfile(profile =>
				take(profile, [], async stage => {
					await listIsRead(stage.page)
					for (const name of shown) await attempt(name, () => parts[name](stage))
				})
			)
		for (const name of wanted.filter(one => one in others))
			await attempt(name, () => inProfile(profile => others[name]({program, profile, take})))
	} finally {
		await browser.close()
	}
	writeGallery(folder)
	if (values.docs && failures === 0) copyForDocs(folder)
	return failures === 0 ? 0 : 1
})

function partsOf({all, docs}) {
	if (docs) return ['trajectory', 'isolation']
	return [...Object.keys(parts), ...Object.keys(others).filter(name => all || name !== 'adapted')]
}

/** All that the repository keeps; `build/weight.test.ts` limits their weight. */
const shownInDocs = ['computers-large-light', 'trajectory-light']

function copyForDocs(folder) {
	mkdirSync(at('docs', 'images'), {recursive: true})
	for (const name of shownInDocs) copyFileSync(join(folder, `${name}.webp`), at('docs', 'images', `${name}.webp`))
}

async function inProfile(work) {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-pictures-'))
	try {
		await work(join(folder, 'profile'))
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
}

async function onWindow(what, profile, args, work) {
	const opened = await startWindow(what.program, dirname(profile))
	if (opened === undefined) return onConsole(what, profile, args, work)
	const {page} = opened
	try {
		page.setDefaultTimeout(30_000)
		await page.setViewportSize(small)
		await page.getByRole('main').waitFor({timeout: 60_000})
		await work(makeStage(page, what.folder, what.isForLooking, true))
	} finally {
		await opened.stop()
	}
}

async function onConsole({program, browser, folder, isForLooking}, profile, args, work) {
	const console = await startConsole(program, profile, args)
	const context = await browser.newContext({viewport: small, locale: 'en-GB', timezoneId: 'UTC'})
	try {
		const page = await context.newPage()
		page.setDefaultTimeout(30_000)
		await page.goto(`${console.ready.url}#/computers`)
		await page.getByRole('main').waitFor({timeout: 60_000})
		await work(makeStage(page, folder, isForLooking))
	} finally {
		await context.close()
		await console.stop()
	}
}
