import {randomBytes} from 'node:crypto'

import type {Credentials} from '../../types.ts'
import {issueServer, makeAuthority} from '../issue.ts'
import {constraintsFor, wantedNames} from '../names.ts'

export interface TestCredentials extends Credentials {
	/** PEM of the authority, for a client's `ca`. */
	authority: string
}

/** An authority, and its certificate for localhost, 127.0.0.1, ::1 and `hostnames`. About 20 ms; keep it for a whole file. */
export async function testCredentials(hostnames: string[] = []): Promise<TestCredentials> {
	const names = wantedNames(hostnames, {hostnames: [], addresses: []})
	const source = {now: Date.now(), random: randomBytes}
	const authority = await makeAuthority('test', constraintsFor(names), source)
	const server = await issueServer(authority, names, source)
	return {...server, authority: authority.certificate}
}
