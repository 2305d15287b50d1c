import {rmSync} from 'node:fs'

import {at, cached} from './paths.mjs'
import {readJson} from './read-json.mjs'
import {runTool} from './run.mjs'
import {say} from './say.mjs'

/**
 * Builds, installs, starts, upgrades and removes the package on this system. It needs root and changes the system, so it
 * runs only with `CORDON_PACKAGE=required`, as in `.ci/run`.
 */
export function packageTests() {
	return {
		name: 'Package (dpkg, and Playwright in the installed program)',
		run: node => {
			const reason = whyNoPackageProof()
			return reason === undefined ? prove(node) : skipped(reason)
		}
	}
}

/** Why the proof cannot run here, or `undefined`. Pure. */
export function whyNoPackageProof({environment = process.env, platform = process.platform, uid = process.getuid?.()} = {}) {
	if (environment.CORDON_PACKAGE !== 'required') return 'CORDON_PACKAGE=required asks for it, as root on Debian'
	if (platform !== 'linux' || uid !== 0) return 'it is installed by dpkg, as root'
	return (environment.CORDON_DESKTOP_USER ?? '') === '' ? 'CORDON_DESKTOP_USER names no ordinary user to start it' : undefined
}

function skipped(reason) {
	const isRequired = process.env.CORDON_PACKAGE === 'required'
	const note = `THE PACKAGE ${isRequired ? 'COULD NOT BE PROVED' : 'WAS NOT PROVED'}: ${reason}.`
	say(`  ${note}`)
	return {passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1, notes: [note]}
}

function prove(node) {
	const file = cached('package-proof.json')
	rmSync(file, {force: true})
	runTool(node, [at('build', 'package-proof.mjs'), file])
	const {passed = 0, failed = 1, skipped: left = 0, notes = ['The proof of the package ended early.']} = readJson(file)
	return {passed, failed, skipped: left, notes}
}
