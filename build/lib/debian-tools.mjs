import {existsSync} from 'node:fs'
import {delimiter, join} from 'node:path'

import {runTool} from './run.mjs'
import {say} from './say.mjs'

/** Programs that tests run beside ours, and their Debian packages. */
const wanted = {nginx: 'nginx-light', haproxy: 'haproxy', curl: 'curl'}

export function missingTools(path = process.env.PATH ?? '') {
	const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin'].filter(folder => folder !== '')
	return Object.keys(wanted).filter(name => !folders.some(folder => existsSync(join(folder, name))))
}

/** Installs what is missing where we have the rights. Prints what it cannot install; those tests skip. */
export function ensureDebianTools() {
	const missing = missingTools()
	if (missing.length === 0) return
	if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
		say(`Installing ${missing.join(', ')} for the tests.`)
		// Only the programs are wanted, not their services.
		const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1'}
		runTool('apt-get', ['update', '-qq'], {env})
		runTool('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing.map(name => wanted[name])], {env})
	}
	const left = missingTools()
	if (left.length > 0) say(`Not installed, so their tests are skipped: ${left.join(', ')}.`)
}
