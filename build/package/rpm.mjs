/** The rpm, from the deb's tree, by the system's rpmbuild. */
import {readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {runTool} from '../lib/run.mjs'
import {home, paragraphs, postinst, prerm, summary} from './linux.mjs'

const architectures = {x64: 'x86_64', arm64: 'aarch64'}

/** Names of Fedora and its kin; openSUSE provides them too. */
const needed = ['alsa-lib', 'at-spi2-core', 'cups-libs', 'gtk3', 'libdrm', 'libxkbcommon', 'mesa-libgbm', 'nss']

/** `files` lists what is installed, each folder of the program's own with all it holds. */
function specOf({facts, tree, files}) {
	const other = facts.isTest ? 'cordon' : 'cordon-test'
	const lines = [
		`Name: ${facts.name}`,
		`Version: ${facts.debianVersion}`,
		'Release: 1',
		`Summary: ${summary}${facts.isTest ? ' (TEST)' : ''}`,
		'License: MIT',
		// Bundled libraries are neither offered to other packages nor requested from them.
		'AutoReqProv: no',
		...needed.map(name => `Requires: ${name}`),
		'Recommends: xdg-utils',
		`Conflicts: ${other}`,
		'%define debug_package %{nil}',
		'%define __os_install_post %{nil}',
		'%define _build_id_links none',
		'%define _binary_payload w3.zstdio',
		`%description\n${paragraphs.join('\n\n')}`,
		`%install\ncp -a '${tree}/.' %{buildroot}/\nrm -rf %{buildroot}/DEBIAN %{buildroot}/usr/share/lintian`,
		`%post\nset -- configure\n${bodyOf(postinst)}`,
		`%preun\nif [ "$1" -eq 0 ]; then set -- remove; else set -- upgrade; fi\n${bodyOf(prerm)}`,
		'%files\n%defattr(-,root,root,-)',
		...files.map(path => (path.endsWith('chrome-sandbox') ? `%attr(4755,root,root) "/${path}"` : `"/${path}"`))
	]
	return `${lines.join('\n')}\n`
}

function bodyOf(script) {
	return script.replace(/^#!.*\n/, '')
}

export function makeRpm({tree, output, facts}) {
	const work = join(output, 'rpm')
	const file = `${facts.name}-${facts.debianVersion}-1.${architectures[facts.arch]}.rpm`
	const spec = join(output, 'cordon.spec')
	writeFileSync(spec, specOf({facts, tree, files: installed(tree)}))
	const defines = {_topdir: work, _rpmdir: output, _rpmfilename: file}
	const words = Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`])
	const {ok, output: said} = runTool('rpmbuild', ['-bb', '--target', architectures[facts.arch], ...words, spec], {quiet: true})
	if (!ok) throw new Error(`rpmbuild failed.\n${said}`)
	for (const path of [work, spec]) rmSync(path, {recursive: true, force: true})
	return join(output, file)
}

/** Lists single files, so that no system folder becomes the package's own; only the program's folder is listed whole. */
function installed(tree) {
	const paths = readdirSync(tree, {recursive: true, encoding: 'utf8'}).toSorted()
	const outside = paths.filter(path => !path.startsWith(home) && !path.startsWith('DEBIAN') && !path.includes('lintian'))
	const sandbox = `${home}/chrome-sandbox`
	return [home, sandbox, ...outside.filter(path => !statSync(join(tree, path), {throwIfNoEntry: false})?.isDirectory())]
}
