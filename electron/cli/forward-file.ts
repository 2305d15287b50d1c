import {X509Certificate} from 'node:crypto'
import {resolve} from 'node:path'

import {config} from 'zod'

import {hashPassword} from '#gateway/forwarder/access/password.ts'
import {checkImport, dayOf} from '#gateway/forwarder/tls/imported.ts'
import {problemLines, readForwardFile} from '#gateway/instances/config-file/read.ts'

import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import {printObject} from './result.ts'
import type {SubCall} from './session.ts'

export function configPath({option}: SubCall) {
	const path = option('config')
	if (path === undefined) throw usage('forward needs --config FILE', 'docs/forwarding.md describes the file', 'config')
	return resolve(path)
}

export function readConfig(path: string, host: CliHost) {
	// For these few checks, compiling the schema costs more than it gains.
	config({jitless: true})
	const owner = {platform: host.platform, uid: process.getuid?.() ?? null, credentials: host.environment['CREDENTIALS_DIRECTORY']}
	return readForwardFile(path, {owner, hashPassword, checkCredentials: credentials => void checkImport(credentials, Date.now())})
}

export async function fileOf(call: SubCall) {
	const file = await readConfig(configPath(call), call.host)
	const port = call.option('port')
	if (port === undefined) return file
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw usage(`--port ${port} is not a port`, 'give a number from 0 to 65535', 'port')
	return {...file, listen: {...file.listen, port: Number(port)}}
}

export async function checkFile(call: SubCall) {
	const path = configPath(call)
	const file = await fileOf(call)
	const count = file.instances.length
	for (const line of problemLines(path, file.warnings)) call.output.say(`Note: ${line}`)
	const {credentials} = file.listen
	const end = credentials === null ? null : Date.parse(new X509Certificate(credentials.certificate).validTo)
	const data = {instances: count, certificateEnds: end === null ? null : new Date(end).toISOString(), warnings: file.warnings}
	const until = end === null ? '' : ` Its certificate is valid until ${dayOf(end)}.`
	return printObject(call, {config: path}, data, `The configuration is good: ${counted(count, nouns.instance)}.${until}`)
}
