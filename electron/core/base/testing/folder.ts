/** Empty folders for tests, below the system's folder for temporary files. */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {afterAll, onTestFinished} from 'vitest'

/** Called in a test or a `beforeEach`: the folder goes when the test and every `afterEach` are over. */
export function testFolder() {
	return made(onTestFinished)
}

/** Called outside of tests: the folder goes when the tests beside the call, and every `afterAll` below it, are over. */
export function fileFolder() {
	return made(afterAll)
}

function made(over: (remove: () => void) => void) {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-'))
	over(() => rmSync(folder, {recursive: true, force: true}))
	return folder
}
