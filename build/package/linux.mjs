/** Files that tell Linux desktops and package managers about Cordon, as pure text. */
import {appId, debianArchitectures} from './facts.mjs'

export const summary = 'Operator console for an endpoint-security service'
export const paragraphs = [
	'Cordon lists and changes the computers of an endpoint-security service: isolation, groups, policies and file lists, one at a time or in jobs with plans and stops. It records every change in an incident log before sending it.',
	'Without an account it starts on a sandbox with simulated computers. The same commands run in the window and on the command line, cordon.'
]
export const home = 'usr/lib/cordon'

/** The window's dependencies; alternatives are names in newer releases of Debian and Ubuntu. */
const depends = [
	'libasound2t64 | libasound2',
	'libatk-bridge2.0-0t64 | libatk-bridge2.0-0',
	'libatk1.0-0t64 | libatk1.0-0',
	'libatspi2.0-0t64 | libatspi2.0-0',
	'libc6 (>= 2.31)',
	'libcairo2',
	'libcups2t64 | libcups2',
	'libdbus-1-3',
	'libexpat1',
	'libgbm1',
	'libgcc-s1',
	'libglib2.0-0t64 | libglib2.0-0',
	'libgtk-3-0t64 | libgtk-3-0',
	'libnspr4',
	'libnss3',
	'libpango-1.0-0',
	'libstdc++6',
	'libudev1',
	'libx11-6',
	'libxcb1',
	'libxcomposite1',
	'libxdamage1',
	'libxext6',
	'libxfixes3',
	'libxkbcommon0',
	'libxrandr2'
]

export function controlOf(facts, installedKilobytes) {
	const other = facts.isTest ? 'cordon' : 'cordon-test'
	return `${[
		`Package: ${facts.name}`,
		`Version: ${facts.debianVersion}`,
		`Architecture: ${debianArchitectures[facts.arch]}`,
		'Maintainer: The Cordon authors <cordon@localhost>',
		`Installed-Size: ${installedKilobytes}`,
		`Depends: ${depends.join(', ')}`,
		'Recommends: xdg-utils',
		'Suggests: gnome-keyring | kwalletmanager',
		`Conflicts: ${other}`,
		`Replaces: ${other}`,
		'Section: admin',
		'Priority: optional',
		`Description: ${summary.toLowerCase()}${facts.isTest ? ' (TEST)' : ''}`,
		...(facts.isTest ? [' TEST: built on a runtime that nobody vouches for. Not for real computers.', ' .'] : []),
		paragraphs.map(text => wrap(text, ' ')).join('\n .\n')
	].join('\n')}\n`
}

export function desktopEntry(facts) {
	return `[Desktop Entry]
Type=Application
Name=${facts.title}
GenericName=Endpoint security console
Comment=${summary}
Exec=cordon-desktop %u
Icon=${appId}
Terminal=false
Categories=System;Security;
Keywords=endpoint;isolation;incident;security;
MimeType=x-scheme-handler/cordon;
StartupWMClass=${appId}
`
}

export function metainfo(facts) {
	return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${appId}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>MIT</project_license>
  <name>${facts.title}</name>
  <summary>${summary}</summary>
  <developer_name>The Cordon authors</developer_name>
  <description>
${paragraphs.map(text => `    <p>${text}</p>`).join('\n')}
  </description>
  <launchable type="desktop-id">${appId}.desktop</launchable>
  <provides>
    <binary>cordon-desktop</binary>
    <binary>cordon</binary>
    <mediatype>x-scheme-handler/cordon</mediatype>
  </provides>
  <content_rating type="oars-1.1" />
  <releases>
    <release version="${facts.debianVersion}" date="${facts.date}" />
  </releases>
</component>
`
}

/** Its own Node, without what an environment could inject. */
export const launcher = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
unset NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_REPL_EXTERNAL_MODULE
exec "$here/resources/cli/node" "$here/resources/cli/dist/node/cli.js" "$@"
`

export const windowsLauncher = [
	'@echo off',
	'setlocal',
	'set NODE_OPTIONS=',
	'set NODE_PATH=',
	'set NODE_REPL_EXTERNAL_MODULE=',
	'"%~dp0resources\\cli\\node.exe" "%~dp0resources\\cli\\dist\\node\\cli.js" %*',
	''
].join('\r\n')

/** Ubuntu since 23.10 forbids user namespaces to programs without a profile that allows them. */
export const apparmor = `abi <abi/4.0>,
include <tunables/global>

profile cordon /${home}/cordon-desktop flags=(unconfined) {
  userns,

  include if exists <local/cordon>
}
`

/** An AppArmor without this rule does not forbid user namespaces either, so the package leaves the profile out. */
export const postinst = `#!/bin/sh
set -e
profile=/${home}/apparmor/cordon
target=/etc/apparmor.d/cordon
if [ "$1" = configure ] && [ -d /etc/apparmor.d ] && command -v apparmor_parser >/dev/null; then
  if apparmor_parser --skip-kernel-load --skip-cache "$profile" >/dev/null 2>&1; then
    cp "$profile" "$target"
    chmod 644 "$target"
    if aa-enabled --quiet 2>/dev/null; then apparmor_parser --replace --write-cache --skip-read-cache "$target" || true; fi
  else
    rm -f "$target"
  fi
fi
`

export const prerm = `#!/bin/sh
set -e
target=/etc/apparmor.d/cordon
if [ "$1" = remove ] && [ -f "$target" ]; then
  if aa-enabled --quiet 2>/dev/null; then apparmor_parser --remove "$target" || true; fi
  rm -f "$target"
fi
`

/** Lintian's findings for every package with its own Chromium and Node, with the reason; see `docs/desktop.md`. */
export function lintianOverrides(facts) {
	return [
		['Chromium’s sandbox helper has to be setuid where user namespaces are forbidden.', ['elevated-privileges']],
		[
			'Electron and Node are shipped as their builders made them.',
			[
				'embedded-library',
				'hardening-no-bindnow',
				'hardening-no-fortify-functions',
				'hardening-no-pie',
				'shared-library-lacks-prerequisites',
				'statically-linked-binary',
				'unstripped-binary-or-object',
				'unstripped-static-library'
			]
		],
		['A text of the program holds the last code point of Unicode on purpose; the file is UTF-8.', ['national-encoding']],
		['Licences are kept where the program shows them.', ['extra-license-file']],
		[
			'Nobody has to close a bug, and no address is published yet.',
			['initial-upload-closes-no-bugs', 'bogus-mail-host', 'bogus-mail-host-in-debian-changelog']
		]
	]
		.flatMap(([why, tags]) => [`# ${why}`, ...tags.map(tag => `${facts.name}: ${tag}`)])
		.concat('')
		.join('\n')
}

export function changelog(facts) {
	const date = new Date(`${facts.date}T00:00:00Z`).toUTCString().replace('GMT', '+0000')
	return `${facts.name} (${facts.debianVersion}) unstable; urgency=medium

  * Version ${facts.version}.

 -- The Cordon authors <cordon@localhost>  ${date}
`
}

export function copyright(licence) {
	const text = licence
		.trim()
		.split('\n')
		.map(line => (line.trim() === '' ? ' .' : ` ${line}`))
		.join('\n')
	return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Cordon

Files: *
Copyright: The Cordon authors
License: MIT

License: MIT
${text}
Comment:
 Electron, Chromium, Node.js and the packages of the npm registry that are part of this package have licences of their
 own: /${home}/licences.html, LICENSE.electron.txt and LICENSES.chromium.html beside it.
`
}

export function manual(name, facts) {
	const isWindow = name === 'cordon-desktop'
	const [what, usage, text] = isWindow
		? [
				'open the Cordon window',
				'.B cordon-desktop\n.RI [ link ]',
				'Opens the window of the console. A link begins with cordon://open/ and shows a screen.'
			]
		: [
				'command line of the Cordon console',
				'.B cordon\n.RI [ command ]\n.RI [ options ]',
				'Runs a command of the service or of the console.\n.B cordon help\nlists all commands and options.'
			]
	return `.TH ${name.toUpperCase().replace('-', '\\-')} 1 "${facts.date}" "Cordon ${facts.version}"
.SH NAME
${name.replace('-', '\\-')} \\- ${what}
.SH SYNOPSIS
${usage}
.SH DESCRIPTION
${text}
.SH SEE ALSO
.BR ${isWindow ? 'cordon' : 'cordon\\-desktop'} (1)
`
}

function wrap(text, before, width = 78) {
	const lines = []
	for (const word of text.split(' ')) {
		const last = lines.at(-1)
		if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`
		else lines.push(word)
	}
	return lines.map(line => `${before}${line}`).join('\n')
}
