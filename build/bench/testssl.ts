/** `npm run bench -- testssl`: what testssl.sh (Debian's package of that name) says of the forwarding server's front. */
import {execFile, spawnSync} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'

import {defaultLimits} from '#gateway/forwarder/limits.ts'
import {startForwarder} from '#gateway/forwarder/server.ts'
import {openAuthority} from '#gateway/forwarder/tls/authority.ts'
import type {ForwarderConfig} from '#gateway/forwarder/types.ts'
import {tryLockFile} from '#core/store/lock-file.ts'
import {systemClock} from '#base/system.ts'
import {z} from 'zod'
import {benchFolder} from './folder.ts'
import {markdown} from './measure.ts'

const findings = z.array(z.object({id: z.string(), severity: z.string(), finding: z.string()}))
type Finding = z.infer<typeof findings>[number]

/** A private authority publishes no revocation; the manual says so. */
const known = new Set(['cert_revocation'])
/** `WARN`: one of its own checks could not run, which says nothing of the server. */
const tolerable = new Set(['OK', 'INFO', 'LOW', 'WARN'])
const patienceMs = 15 * 60_000

const config: ForwarderConfig = {
	parameters: {},
	instances: [],
	hostnames: [],
	trustedProxies: [],
	platformVersion: '6.12',
	limits: defaultLimits,
	pseudonym: 'cordon',
	strictTransportSecurity: false
}

/** Rejects when it finds anything above LOW that is not known. */
export async function benchTestssl() {
	const program = ['testssl.sh', 'testssl'].find(name => spawnSync(name, ['--version']).error === undefined)
	if (program === undefined) throw new Error('testssl.sh is not installed: apt-get install testssl.sh')
	const folder = benchFolder()
	return report(await examine(program, folder))
}

async function examine(program: string, folder: string): Promise<readonly Finding[]> {
	const random = randomBytes
	const state = join(folder, 'state')
	const authority = await openAuthority({folder: state, clock: systemClock, random, hostnames: () => [], tryLock: tryLockFile})
	const listen = {host: '127.0.0.1', port: 0}
	const forwarder = await startForwarder({listen, config, credentials: authority.credentials()})
	const output = join(folder, 'findings.json')
	const trust = ['--add-ca', authority.authorityPath, '--ip', '127.0.0.1', '--nodns', 'none']
	const mode = ['--quiet', '--warnings', 'off', '--color', '0', '--connect-timeout', '5', '--openssl-timeout', '5']
	try {
		const argv = [...trust, ...mode, '--severity', 'LOW', '--jsonfile', output, `localhost:${forwarder.listen.port}`]
		// Its exit status counts findings; the file names them.
		await promisify(execFile)(program, argv, {timeout: patienceMs, maxBuffer: 2 ** 24}).catch(() => {})
	} finally {
		await forwarder.stop(0)
		await authority.stop()
	}
	return findings.parse(JSON.parse(readFileSync(output, 'utf8')))
}

function report(found: readonly Finding[]) {
	const bad = found.filter(({id, severity}) => !tolerable.has(severity) && !known.has(id))
	const rows = found.map(({id, severity, finding}) => [id, severity, finding, known.has(id) ? 'known' : ''])
	const text = markdown('finding | severity | what it says | ', rows)
	if (bad.length > 0) throw new Error(`testssl.sh found more than it should:\n${text}`)
	return `Findings of LOW and above; nothing but what is known is above LOW.\n\n${text}`
}
