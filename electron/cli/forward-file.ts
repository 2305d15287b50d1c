import {resolve} from 'node:path'

import {config} from 'zod'

import {hashPassword} from '#gateway/forwarder/access/password.ts'
import {checkImport} from '#gateway/forwarder/tls/imported.ts'
import {problemLines, readForwardFile} from '#gateway/instances/config-file/read.ts'
import type {ForwardFile} from '#gateway/instances/config-file/types.ts'

import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {optionOf, type Sub} from './argv.ts'
import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'

export function configPath({options}: Sub): string {
	const path = optionOf({options}, 'config')
	if (path === undefined) throw usage('forward needs --config FILE', 'docs/forwarding.md describes the file', 'config')
	return resolve(path)
}

export function readConfig(path: string, host: CliHost): Promise<ForwardFile> {
	// For these few checks, compiling the schema costs more than it gains.
	config({jitless: true})
	const owner = {platform: host.platform, uid: process.getuid?.() ?? null, credentials: host.environment['CREDENTIALS_DIRECTORY']}
	return readForwardFile(path, {owner, hashPassword, checkCredentials: credentials => void checkImport(credentials, Date.now())})
}

export async function checkFile(sub: Sub, host: CliHost, output: Output): Promise<number> {
	const path = configPath(sub)
	const file = await readConfig(path, host)
	const count = file.instances.length
	for (const line of problemLines(path, file.warnings)) output.say(`Note: ${line}`)
	printObject(
		output,
		'forward',
		{config: path},
		{instances: count, warnings: file.warnings},
		`The configuration is good: ${counted(count, nouns.instance)}.`,
	)
	return 0
}
