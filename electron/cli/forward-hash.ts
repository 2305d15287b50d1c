import {hashPassword} from '#gateway/forwarder/access/password.ts'

import {usage} from './faults.ts'
import {askSecretLine, readSecretLine} from './key.ts'
import {printObject} from './result.ts'
import type {SubCall} from './session.ts'

export async function printHash(call: SubCall) {
	const {host} = call
	const password = host.stdin.isTTY
		? await askSecretLine(host, 'Password (it is not shown): ', 'password')
		: await readSecretLine(host, '-', 'password')
	if (password.trim() === '') throw usage('The password is empty', 'write it into the first line', 'password')
	const hash = await hashPassword(password)
	return printObject(call, {}, {hash}, hash)
}
