/** Makes a tar.gz, a deb and an rpm of the packed program, with the system's tools. */
import {chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gzipSync} from 'node:zlib'

import {at} from '../lib/paths.mjs'
import {runTool} from '../lib/run.mjs'
import {say} from '../lib/say.mjs'
import {appId, debianArchitectures} from './facts.mjs'
import {linuxSizes} from './icons.mjs'
import {apparmor, changelog, controlOf, copyright, desktopEntry, home, lintianOverrides, manual, metainfo, postinst, prerm} from './linux.mjs'
import {makeRpm} from './rpm.mjs'

/** Executable files; all others are only readable. */
const programs = new Set(['cordon', 'cordon-desktop', 'chrome_crashpad_handler', 'resources/cli/node'])

/** Packs the folder of `layout.mjs`; returns the paths of the files. */
export function packLinux({unpacked, output, facts, icons}) {
	setModes(unpacked, path => programs.has(path))
	chmodSync(join(unpacked, 'chrome-sandbox'), 0o4755)
	const tar = join(output, `${facts.stem}-linux-${facts.arch}.tar.gz`)
	// Whoever unpacks it owns the files; without root, user namespaces are the sandbox.
	const folder = `s,^\\.,${facts.stem},`
	must('tar', ['-czf', tar, '--owner=0', '--group=0', '--numeric-owner', `--transform=${folder}`, '-C', unpacked, '.'])
	const makers = Object.entries({'dpkg-deb': makeDeb, rpmbuild: makeRpm}).filter(([tool]) => isHere(tool))
	if (makers.length === 0) return [tar]
	const tree = layOutTree({unpacked, output, facts, icons})
	const packages = makers.map(([, make]) => make({tree, output, facts}))
	rmSync(tree, {recursive: true})
	return [tar, ...packages]
}

function isHere(tool) {
	const {ok} = runTool(tool, ['--version'], {quiet: true})
	if (!ok) say(`${tool} is not on this computer, so its package is not built.`)
	return ok
}

/** Both packages install this tree. */
function layOutTree({unpacked, output, facts, icons}) {
	const tree = join(output, 'tree')
	rmSync(tree, {recursive: true, force: true})
	const write = writerTo(tree)
	cpSync(unpacked, join(tree, home), {recursive: true, verbatimSymlinks: true})
	writeShare(write, facts, icons)
	mkdirSync(join(tree, 'usr', 'bin'), {recursive: true})
	for (const name of ['cordon', 'cordon-desktop']) symlinkSync(`../lib/cordon/${name}`, join(tree, 'usr/bin', name))
	setModes(tree, path => path.startsWith(`${home}/`) && programs.has(path.slice(home.length + 1)))
	chmodSync(join(tree, home, 'chrome-sandbox'), 0o4755)
	return tree
}

function writerTo(tree) {
	return (path, content, mode = 0o644) => {
		mkdirSync(dirname(join(tree, path)), {recursive: true})
		writeFileSync(join(tree, path), content, {mode})
		chmodSync(join(tree, path), mode)
	}
}

function makeDeb({tree, output, facts}) {
	const write = writerTo(tree)
	const kilobytes = Math.ceil(sizeOf(tree) / 1024)
	write('DEBIAN/control', controlOf(facts, kilobytes))
	write('DEBIAN/md5sums', md5sums(tree))
	write('DEBIAN/postinst', postinst, 0o755)
	write('DEBIAN/prerm', prerm, 0o755)
	const deb = join(output, `${facts.name}_${facts.debianVersion}_${debianArchitectures[facts.arch]}.deb`)
	must('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', tree, deb])
	return deb
}

/** Files outside the program's own folder. */
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

/** Modes must not depend on the builder's umask. */
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
