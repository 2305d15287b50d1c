import {hashPassword} from '#gateway/forwarder/access/password.ts'

import {usage} from './faults.ts'
import {askSecret, readSecretText} from './key.ts'
import type {SubCall} from './session.ts'

const longest = 4096

export async function printHash({host, output}: SubCall): Promise<number> {
	const password = host.stdin.isTTY
		? await askSecret(host, 'Password (it is not shown): ', 'password')
		: firstLine(await readSecretText(host, '-', 'password', longest))
	if (password === '') throw usage('The password is empty', 'write it into the first line', 'password')
	const hash = await hashPassword(password)
	if (output.mode === 'text') output.print(hash)
	else output.json({ok: true, command: 'forward hash-password', args: {}, data: {hash}, message: hash, entry: null})
	return 0
}

/** Blanks at either end are part of a password. */
function firstLine(text: string) {
	return text.split(/\r?\n/)[0] ?? ''
}
