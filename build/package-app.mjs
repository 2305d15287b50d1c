/** Gathers the application and packs it for this system; Node 24, started by `package.mjs`. */
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {basename, dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'

import {npm} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at, cached} from './lib/paths.mjs'
import {say, step} from './lib/say.mjs'
import {billOf, licencesPage} from './package/bill.mjs'
import {configOf} from './package/config.mjs'
import {packLinux} from './package/deb.mjs'
import {appId, factsOf} from './package/facts.mjs'
import {drawIcons} from './package/icons.mjs'
import {layOutLinux} from './package/layout.mjs'
import {launcher, windowsLauncher} from './package/linux.mjs'

const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
const output = at('release')
/** Packages with machine code, which no bundle can hold; each brings one more package for the system. */
const natives = ['@napi-rs/keyring']
const readJson = path => JSON.parse(readFileSync(path, 'utf8'))

main(async () => {
	const manifest = readJson(at('package.json'))
	const date = new Date().toISOString().slice(0, 10)
	const facts = factsOf({...manifest, isTest: override !== undefined, date})
	const electronVersion = electronVersionHere()
	const icons = await step('Drawing the icons', drawIcons)
	const folder = await step('Gathering the application', () => gather({manifest, facts, icons, electronVersion}))
	const pack = process.platform === 'linux' ? packForLinux : packWithBuilder
	const files = await step('Packing', () => pack({folder, facts, icons, electronVersion}))
	if (facts.isTest) say('TEST: built on the runtime in ELECTRON_OVERRIDE_DIST_PATH. Do not hand it out.')
	for (const file of files) say(file)
	return 0
})

async function packForLinux({folder, facts, icons}) {
	const unpacked = await layOutLinux({folder, electronDist: electronFolder(), output, arch: facts.arch})
	return packLinux({unpacked, output, facts, icons})
}

/** electron-builder brings two hundred packages: only those who build for Windows or macOS install and trust them. */
async function packWithBuilder({folder, facts, electronVersion}) {
	const home = cached('builder')
	const {ok} = npm(['install', '--prefix', home, '--no-save', 'electron-builder@26.17.0'], false)
	if (!ok) throw new Error('electron-builder could not be installed.')
	const entry = createRequire(join(home, 'package.json')).resolve('electron-builder')
	const {build, Platform} = await import(pathToFileURL(entry).href)
	const config = configOf({facts, electronVersion, electronDist: electronFolder(), output})
	return build({projectDir: folder, targets: Platform.current().createTarget(), publish: 'never', config})
}

/** A universal application of macOS needs two of them, which electron-builder fetches. */
function electronFolder() {
	if (override !== undefined) return override
	return process.platform === 'darwin' ? undefined : at('node_modules', 'electron', 'dist')
}

function electronVersionHere() {
	const file = override === undefined ? undefined : join(override, 'version')
	if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8').trim().replace(/^v/, '')
	return readJson(at('node_modules', 'electron', 'package.json')).version
}

/** No node_modules: everything is bundled. */
function gather({manifest, facts, icons, electronVersion}) {
	const folder = cached('package')
	rmSync(folder, {recursive: true, force: true})
	const write = (path, content, mode = 0o644) => {
		mkdirSync(dirname(join(folder, path)), {recursive: true})
		writeFileSync(join(folder, path), content, {mode})
	}
	const copy = (part, to, filter) => cpSync(at('dist', part), join(folder, to, part), {recursive: true, filter})
	for (const part of ['page', 'node', 'preload']) copy(part, 'dist', isShipped)
	write('package.json', JSON.stringify(packagedManifest(manifest, facts), null, 2))
	cpSync(at('LICENSE'), join(folder, 'LICENSE'))
	copy('node', 'cli/dist', isOfCommandLine)
	// Its launcher names the Node; the first line would choose the system's.
	write('cli/dist/node/cli.js', readFileSync(at('dist', 'node', 'cli.js'), 'utf8').replace(/^#!.*\n/, ''))
	write('cli/dist/package.json', '{ "type": "module" }\n')
	for (const to of ['.', 'cli']) copyNatives(manifest, join(folder, to, 'node_modules'))
	cpSync(process.execPath, join(folder, 'cli', basename(process.execPath)))
	write('linux/cordon', launcher, 0o755)
	write('windows/cordon.cmd', windowsLauncher)
	write('resources/icon.png', icons.png[512])
	write('resources/icon.ico', icons.ico)
	write('resources/icon.icns', icons.icns)
	const bill = billOf({electronVersion, nodeVersion: process.versions.node, facts})
	write('sbom.json', JSON.stringify(bill, null, 2))
	write('licences.html', licencesPage(bill, facts))
	return folder
}

function copyNatives({dependencies}, folder) {
	for (const name of natives.filter(each => each in dependencies)) {
		const around = dirname(at('node_modules', name))
		for (const part of readdirSync(around).filter(each => each.startsWith(basename(name))))
			cpSync(join(around, part), join(folder, dirname(name), part), {recursive: true})
	}
}

function packagedManifest({name, description, license, dependencies}, {version, title}) {
	const entry = {type: 'module', main: 'dist/node/main.js', desktopName: `${appId}.desktop`}
	const kept = Object.entries(dependencies).filter(([each]) => natives.includes(each))
	const people = {author: 'The Cordon authors', dependencies: Object.fromEntries(kept)}
	return {name, productName: title, version, description, license, ...people, ...entry}
}

/** The entry that takes a debugger is for tests alone. */
function isShipped(path) {
	return basename(path) !== 'main-test.js'
}

function isOfCommandLine(path) {
	const name = basename(path)
	return isShipped(path) && !['main.js', 'headless.js'].includes(name) && !name.startsWith('window-')
}
