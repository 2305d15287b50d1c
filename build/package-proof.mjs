/**
 * Proves the deb as people get it: dpkg installs it, an ordinary user starts it from the path, and it is upgraded and
 * removed. Runs as root, in Node 24; `npm test` starts it where `CORDON_PACKAGE=required`. Writes its findings to the named
 * file.
 */
import assert from 'node:assert/strict'
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, cpSync, existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

import {createPackageWithOptions, extractAll} from '@electron/asar'
import {flipFuses, FuseState, FuseV1Options, getCurrentFuseWire} from '@electron/fuses'

import {fuses} from './fuses.mjs'
import {inWindow, planDesktop} from './lib/desktop-tests.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runTool} from './lib/run.mjs'
import {say} from './lib/say.mjs'
import {appId} from './package/facts.mjs'

const [resultFile] = process.argv.slice(2)
const user = process.env.CORDON_DESKTOP_USER
const home = '/usr/lib/cordon'
const binary = `${home}/cordon-desktop`
const result = {passed: 0, failed: 0, skipped: 0, notes: []}
/** Where a program may carry the mode of its sandbox, which a system may forbid in /tmp. */
const folder = mkdtempSync('/var/tmp/cordon-package-')
const profile = join(folder, 'home', 'profile')

main(async () => {
	chmodSync(folder, 0o755)
	mkdirSync(join(folder, 'home'), {mode: 0o700})
	must('chown', user, join(folder, 'home'))
	try {
		await prove()
	} finally {
		remove()
		rmSync(folder, {recursive: true, force: true})
		writeFileSync(resultFile, JSON.stringify(result))
	}
	return result.failed === 0 ? 0 : 1
})

async function prove() {
	remove()
	const before = new Set(filesOfSystem())
	const deb = buildDeb()
	await check('lintian finds no error and no warning', () => must('lintian', '--allow-root', '--fail-on', 'error,warning', deb))
	await checkRpm(deb)
	must('dpkg', '-i', olderOf(deb))
	await check('an older version keeps a profile', async () => {
		await windowOpens([])
		as('cordon', '--profile', profile, 'log', 'note', 'written by the older version')
	})
	must('dpkg', '-i', deb)
	await check('the upgrade keeps the profile and nothing of the older version', async () => {
		assert.equal(existsSync(`${home}/only-in-the-older`), false)
		await windowOpens([])
		assert.match(as('cordon', '--profile', profile, 'log'), /written by the older version/)
	})
	await checkInstalled()
	await checkAppArmor()
	await checkUntouched()
	const steered = await steeredCopy()
	const pass = inWindow(
		process.execPath,
		steered,
		planDesktop({binary: steered}),
		['ordinary.spec.ts', 'first-start.spec.ts', 'security.spec.ts'],
		{CORDON_INSTALLED: '/usr/bin/cordon-desktop'}
	)
	for (const key of ['passed', 'failed', 'skipped']) result[key] += pass[key]
	result.notes.push(...pass.notes)
	await check('removal leaves profiles and nothing else', () => {
		must('dpkg', '--purge', nameOf(deb))
		assert.deepEqual(
			filesOfSystem().filter(path => !before.has(path)),
			[]
		)
		assert.ok(existsSync(join(profile, 'incidents.db')) || globSync(`${profile}/*`).length > 0)
	})
}

/** With a root and a database of its own, because dpkg manages this system. */
async function checkRpm(deb) {
	const [rpm] = globSync(at('release', '*.rpm'))
	if (rpm === undefined) return void result.notes.push('rpmbuild is not here, so no rpm was built or proved.')
	await check('the rpm installs the files of the deb with their modes, and takes them away', () => {
		const root = join(folder, 'rpm-root')
		const run = (...words) => must('rpm', '--root', root, '--nodeps', '--noscripts', ...words)
		run('-i', rpm)
		const rows = must('dpkg-deb', '-c', deb)
			.trim()
			.split('\n')
			.map(line => line.split(/\s+/))
		const names = rows.filter(([mode]) => !mode.startsWith('d')).map(row => row[5].slice(1))
		assert.deepEqual(
			names.filter(name => !name.includes('/lintian/') && !lexists(join(root, name))),
			[]
		)
		assert.equal(must('find', root, '-path', '*/usr/*', '-perm', '/6000', '-printf', '%f %m'), 'chrome-sandbox 4755')
		assert.match(must('rpm', '-qp', '--scripts', rpm), /apparmor_parser/)
		run('-e', nameOf(deb))
		assert.equal(must('find', join(root, 'usr'), '!', '-type', 'd', '-printf', '%p\n'), '')
	})
}

function lexists(path) {
	return lstatSync(path, {throwIfNoEntry: false}) !== undefined
}

async function checkInstalled() {
	await check('the desktop knows the program and gives it the links', () => {
		must('desktop-file-validate', `/usr/share/applications/${appId}.desktop`)
		must('appstreamcli', 'validate', '--no-net', `/usr/share/metainfo/${appId}.metainfo.xml`)
		const handlers = readFileSync('/usr/share/applications/mimeinfo.cache', 'utf8')
		assert.match(handlers, new RegExp(`^x-scheme-handler/cordon=.*${appId}\\.desktop`, 'm'))
	})
	await check('every file belongs to root, and nobody else can write one', () => {
		assert.equal(must('find', home, '!', '-user', 'root', '-o', '!', '-type', 'l', '-perm', '/022'), '')
		assert.equal(must('find', home, '-perm', '/6000', '-printf', '%f %m'), 'chrome-sandbox 4755')
	})
	await check('every fuse is as it was decided', async () => {
		const wire = await getCurrentFuseWire(binary)
		for (const [name, fuse] of Object.entries(FuseV1Options).filter(([key]) => Number.isNaN(Number(key))))
			assert.equal(wire[fuse], fuses[fuse] ? FuseState.ENABLE : FuseState.DISABLE, name)
	})
	await check('window and command line bring the key store of the system', () => {
		const parts = must('find', home, '-name', '*.node', '-printf', '%P\n').trim().split('\n')
		const places = ['resources/app.asar.unpacked/', 'resources/cli/']
		assert.deepEqual(
			places.filter(place => !parts.some(part => part.startsWith(place) && part.includes('keyring'))),
			[]
		)
	})
	await check('licences and the bill of materials are there', () => {
		const bill = JSON.parse(readFileSync(`${home}/sbom.json`, 'utf8'))
		const names = new Set(bill.components.map(({name}) => name))
		for (const name of ['electron', 'node', 'react', 'zod']) assert.ok(names.has(name), name)
		assert.match(readFileSync(`${home}/licences.html`, 'utf8'), /<summary>react-dom 19/)
	})
}

/**
 * The rule about user namespaces came with AppArmor 4. An older parser reads the profile without it, and the package then
 * leaves the profile out; a parser that accepts everything stands in for a newer one.
 */
async function checkAppArmor() {
	const [profile, target] = [`${home}/apparmor/cordon`, '/etc/apparmor.d/cordon']
	const parse = path => must('apparmor_parser', '--skip-kernel-load', '--skip-cache', path)
	await check('the AppArmor profile can be parsed, and is installed where the rule is known', () => {
		const isKnown = existsSync('/etc/apparmor.d/abi/4.0')
		assert.equal(existsSync(target), isKnown)
		if (isKnown) return void parse(profile)
		const text = readFileSync(profile, 'utf8')
		const older = text.replace('abi <abi/4.0>', 'abi <abi/3.0>').replace(/^ *userns,$/m, '')
		assert.equal(text.length - older.length, '  userns,'.length)
		writeFileSync(join(folder, 'apparmor'), older)
		parse(join(folder, 'apparmor'))
		assert.throws(() => {
			writeFileSync(join(folder, 'apparmor'), older.replace('profile', 'profil'))
			parse(join(folder, 'apparmor'))
		})
		writeFileSync(join(folder, 'apparmor_parser'), '#!/bin/sh\n', {mode: 0o755})
		must('env', `PATH=${folder}:${process.env.PATH}`, '/var/lib/dpkg/info/cordon-test.postinst', 'configure')
		assert.equal(readFileSync(target, 'utf8'), text)
	})
}

async function checkUntouched() {
	await check('the command line answers, and lists the computers of a sandbox', async () => {
		assert.match(as('cordon', '--version'), /^\d+\.\d+\.\d+\n$/)
		const sandbox = spawn('runuser', ['-u', user, '--', 'cordon', 'sandbox', '--json', '--computers', '20'], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: environment()
		})
		try {
			const [line] = await once(createInterface({input: sandbox.stdout}), 'line')
			const {url, client_id: client, api_key: key} = JSON.parse(line)
			const keyFile = join(folder, 'home', 'key')
			writeFileSync(keyFile, key, {mode: 0o600})
			must('chown', user, keyFile)
			const words = ['--server', url, '--client-id', client, '--api-key-file', keyFile]
			const printed = as('cordon', '--profile', join(folder, 'home', 'other'), ...words, 'svc_get_computers', '--jsonl')
			assert.equal(printed.trim().split('\n').length, 20)
		} finally {
			sandbox.kill()
		}
	})
	await check('the command line reaches the tenant that lives in the open window', async () => {
		const ask = `cordon --profile '${profile}' svc_get_computers --limit 1 --jsonl 2>&1 | grep -q hostname`
		// The window opens before anything answers in it.
		await windowOpens([], {}, `for turn in $(seq 240); do ${ask} && exit; sleep 0.25; done; exit 1`)
	})
	await check('it is no Node', async () => {
		const said = await windowOpens(['-e', 'console.log(6 * 7)'], {ELECTRON_RUN_AS_NODE: '1'})
		assert.doesNotMatch(said, /^42$/m)
	})
	await check('it takes no debugger, by its arguments or by the environment', async () => {
		const port = await freePort()
		const whileOpen = `! (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null`
		const said =
			(await windowOpens([`--inspect=127.0.0.1:${port}`], {}, whileOpen)) +
			(await windowOpens([], {NODE_OPTIONS: `--inspect=127.0.0.1:${port}`}, whileOpen))
		assert.doesNotMatch(said, /Debugger listening/)
	})
}

async function check(name, work) {
	try {
		await work()
		result.passed += 1
		say(`  ✓ ${name}`)
	} catch (error) {
		result.failed += 1
		result.notes.push(`Package: ${name}: ${error.message}`)
		say(`  ✗ ${name}\n${error.message}`)
	}
}

/** Starts the program, waits for its window, runs `whileOpen` in bash, and ends it. Returns its output. */
const untilOpen = `
"$@" >"$SAID" 2>&1 &
program=$!
for turn in $(seq 240); do
  kill -0 $program 2>/dev/null || { cat "$SAID" >&2; exit 8; }
  xdotool search --onlyvisible --all --pid $program --name 'Cordon$' >/dev/null 2>&1 && break
  [ $turn -lt 240 ] || { kill $program; exit 9; }
  sleep 0.25
done
bash -c "$WHILE_OPEN" || { kill $program; echo "While the window was open, this failed: $WHILE_OPEN" >&2; exit 7; }
kill $program
wait $program
`

async function windowOpens(args, more = {}, whileOpen = 'true') {
	const said = join(folder, 'home', 'said')
	const {before} = planDesktop({binary})
	const prefix = Object.entries(more).map(([name, value]) => `${name}=${value}`)
	const program = ['env', ...prefix, '/usr/bin/cordon-desktop', '--disable-gpu', ...args]
	const words = [...before.slice(1), 'bash', '-c', untilOpen, 'bash', ...program]
	const started = spawnSync(before[0], words, {
		cwd: '/',
		encoding: 'utf8',
		env: {
			...environment(),
			SAID: said,
			WHILE_OPEN: whileOpen,
			CORDON_ARGUMENTS: JSON.stringify(['--profile', profile, '--sandbox-computers', '50'])
		}
	})
	assert.equal(started.status, 0, `The window ended with ${started.status}.\n${started.stderr}`)
	return readFileSync(said, 'utf8')
}

function environment() {
	const own = join(folder, 'home')
	return {PATH: process.env.PATH, HOME: own, XDG_RUNTIME_DIR: own, TMPDIR: own, USER: user, LOGNAME: user}
}

/** Runs a program of the path as the ordinary user; returns its output. */
function as(...words) {
	const {status, stdout, stderr} = spawnSync('runuser', ['-u', user, '--', ...words], {
		cwd: '/',
		env: environment(),
		encoding: 'utf8',
		maxBuffer: 64 << 20
	})
	assert.equal(status, 0, `${words.join(' ')}\n${stdout}${stderr}`)
	return stdout
}

/** Playwright needs a debugger: a copy with that fuse and the tests' entry, otherwise identical. */
async function steeredCopy() {
	const copy = join(folder, 'steered')
	must('cp', '-a', home, copy)
	const archive = join(copy, 'resources', 'app.asar')
	const unpacked = join(folder, 'asar')
	extractAll(archive, unpacked)
	cpSync(at('dist', 'node', 'main-test.js'), join(unpacked, 'dist', 'node', 'main-test.js'))
	const manifest = join(unpacked, 'package.json')
	writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('dist/node/main.js', 'dist/node/main-test.js'))
	await createPackageWithOptions(unpacked, archive, {unpack: '*.node'})
	const path = join(copy, 'cordon-desktop')
	await flipFuses(path, {...fuses, [FuseV1Options.EnableNodeCliInspectArguments]: true})
	return path
}

function buildDeb() {
	rmSync(at('release'), {recursive: true, force: true})
	const {ok} = runTool(process.execPath, [at('build', 'package-app.mjs')])
	const [deb] = globSync(at('release', '*.deb'))
	if (!ok || deb === undefined) throw new Error('The package could not be built.')
	return deb
}

/** The same as an earlier version, with a file that the new one lacks. */
function olderOf(deb) {
	const tree = join(folder, 'older')
	must('dpkg-deb', '-R', deb, tree)
	const control = join(tree, 'DEBIAN', 'control')
	writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1~TEST'))
	writeFileSync(join(tree, home, 'only-in-the-older'), '')
	const path = join(folder, 'older.deb')
	must('dpkg-deb', '-Znone', '--build', tree, path)
	rmSync(tree, {recursive: true})
	return path
}

function nameOf(deb) {
	return must('dpkg-deb', '--field', deb, 'Package').trim()
}

/** Removes a package that a failed proof left, and never a real Cordon. */
function remove() {
	if (existsSync('/var/lib/dpkg/info/cordon.list')) throw new Error('Cordon is installed here; the proof would replace it.')
	if (existsSync('/var/lib/dpkg/info/cordon-test.list')) must('dpkg', '--purge', 'cordon-test')
}

/** Without the records that dpkg and caches keep of packages. */
function filesOfSystem() {
	const places = ['/usr', '/etc', '/opt', '/var/lib', '/var/spool']
	const caches = /^\/var\/lib\/dpkg\/|icon-theme\.cache$|\/mimeinfo\.cache$|^\/etc\/ld\.so\.cache$/
	return must('find', ...places, '-xdev')
		.split('\n')
		.filter(path => !caches.test(path))
}

function must(command, ...args) {
	const {status, stdout, stderr, error} = spawnSync(command, args, {encoding: 'utf8', maxBuffer: 256 << 20})
	if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? error?.message}`)
	return stdout
}

async function freePort() {
	const server = createServer().listen(0, '127.0.0.1')
	await once(server, 'listening')
	const {port} = server.address()
	server.close()
	await once(server, 'close')
	return port
}
