/** A process that works on a profile's vault with the key store of its session, and prints the result of each step. */
import {systemRandom} from '#base/system.ts'
import {CordonError} from '#contract/errors.ts'

import {systemKeyStore} from '../key-store.ts'
import {openSecretVault} from '../vault.ts'

const [folder = '', ...steps] = process.argv.slice(2)
const vault = openSecretVault({folder, random: systemRandom, keyStore: systemKeyStore(process.platform, undefined)})
const answers: unknown[] = []
for (const step of steps) {
	const [what, name = '', value = ''] = step.split('=')
	try {
		if (what === 'write') answers.push((await vault.write(name, value)) ?? null)
		else if (what === 'remove') answers.push(typeof (await vault.remove(name)))
		else if (what === 'move') answers.push((await vault.moveToKeyStore()) ?? null)
		else if (what === 'unavailable') answers.push(await vault.unavailable())
		else if (what === 'kind') answers.push(vault.kind)
		else answers.push((await vault.read(name)) ?? null)
	} catch (error) {
		answers.push(error instanceof CordonError ? {code: error.code, message: error.message} : String(error))
	}
}
process.stdout.write(JSON.stringify(answers))
process.exit(0)
