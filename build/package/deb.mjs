/** From the packed program to what Linux installs: a tar.gz and a deb, by the tools of the system. */
import {chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gzipSync} from 'node:zlib'

import {at} from '../lib/paths.mjs'
import {runTool} from '../lib/run.mjs'
import {say} from '../lib/say.mjs'
import {appId, debianArchitectures} from './facts.mjs'
import {linuxSizes} from './icons.mjs'
import {
	apparmor,
	changelog,
	controlOf,
	copyright,
	desktopEntry,
	home,
	lintianOverrides,
	manual,
	metainfo,
	postinst,
	prerm,
} from './linux.mjs'

/** Files that are programs; every other file of the package can be read by all and is run by nobody. */
const programs = new Set(['cordon', 'cordon-desktop', 'chrome_crashpad_handler', 'resources/cli/node'])

/** Packs the folder that `layout.mjs` laid out; returns the paths of the files. */
export function packLinux({unpacked, output, facts, icons}) {
	setModes(unpacked, path => programs.has(path))
	chmodSync(join(unpacked, 'chrome-sandbox'), 0o4755)
	const tar = join(output, `${facts.stem}-linux-${facts.arch}.tar.gz`)
	// The owner of the files is whoever unpacks them; without root the sandbox is that of user namespaces.
	const folder = `s,^\\.,${facts.stem},`
	must('tar', ['-czf', tar, '--owner=0', '--group=0', '--numeric-owner', `--transform=${folder}`, '-C', unpacked, '.'])
	if (runTool('dpkg-deb', ['--version'], {quiet: true}).ok) return [tar, makeDeb({unpacked, output, facts, icons})]
	say('dpkg-deb is not on this computer, so only the tar.gz is built.')
	return [tar]
}

function makeDeb({unpacked, output, facts, icons}) {
	const tree = join(output, 'deb')
	rmSync(tree, {recursive: true, force: true})
	const write = (path, content, mode = 0o644) => {
		mkdirSync(dirname(join(tree, path)), {recursive: true})
		writeFileSync(join(tree, path), content, {mode})
		chmodSync(join(tree, path), mode)
	}
	cpSync(unpacked, join(tree, home), {recursive: true, verbatimSymlinks: true})
	writeShare(write, facts, icons)
	mkdirSync(join(tree, 'usr', 'bin'), {recursive: true})
	for (const name of ['cordon', 'cordon-desktop']) symlinkSync(`../lib/cordon/${name}`, join(tree, 'usr/bin', name))
	setModes(tree, path => path.startsWith(`${home}/`) && programs.has(path.slice(home.length + 1)))
	chmodSync(join(tree, home, 'chrome-sandbox'), 0o4755)
	const kilobytes = Math.ceil(sizeOf(tree) / 1024)
	write('DEBIAN/control', controlOf(facts, kilobytes))
	write('DEBIAN/md5sums', md5sums(tree))
	write('DEBIAN/postinst', postinst, 0o755)
	write('DEBIAN/prerm', prerm, 0o755)
	const deb = join(output, `${facts.name}_${facts.debianVersion}_${debianArchitectures[facts.arch]}.deb`)
	must('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', tree, deb])
	rmSync(tree, {recursive: true})
	return deb
}

/** What lies outside of the program's own folder. */
function writeShare(write, facts, icons) {
	write(`${home}/apparmor/cordon`, apparmor)
	write(`usr/share/applications/${appId}.desktop`, desktopEntry(facts))
	write(`usr/share/metainfo/${appId}.metainfo.xml`, metainfo(facts))
	for (const size of linuxSizes) write(`usr/share/icons/hicolor/${size}x${size}/apps/${appId}.png`, icons.png[size])
	write(`usr/share/icons/hicolor/scalable/apps/${appId}.svg`, icons.svg)
	write(`usr/share/lintian/overrides/${facts.name}`, lintianOverrides(facts))
	write(`usr/share/doc/${facts.name}/copyright`, copyright(readFileSync(at('LICENSE'), 'utf8')))
	write(`usr/share/doc/${facts.name}/changelog.gz`, gzipped(changelog(facts)))
	for (const name of ['cordon', 'cordon-desktop']) write(`usr/share/man/man1/${name}.1.gz`, gzipped(manual(name, facts)))
}

function gzipped(text) {
	return gzipSync(text, {level: 9})
}

/** Modes do not depend on the umask of whoever builds. */
function setModes(folder, isProgram) {
	chmodSync(folder, 0o755)
	for (const path of filesBelow(folder, true)) {
		const stat = lstatSync(join(folder, path))
		if (stat.isSymbolicLink()) continue
		chmodSync(join(folder, path), stat.isDirectory() || isProgram(path) ? 0o755 : 0o644)
	}
}

function filesBelow(folder, withFolders = false) {
	const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted()
	return withFolders ? paths : paths.filter(path => lstatSync(join(folder, path)).isFile())
}

function sizeOf(folder) {
	return filesBelow(folder).reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0)
}

function md5sums(tree) {
	const files = filesBelow(tree).filter(path => !path.startsWith('DEBIAN'))
	const {ok, output} = runTool('md5sum', files, {quiet: true, cwd: tree})
	if (!ok) throw new Error(`The checksums could not be made.\n${output}`)
	return output
}

function must(command, args) {
	const {ok, output} = runTool(command, args, {quiet: true})
	if (!ok) throw new Error(`${command} failed.\n${output}`)
}
