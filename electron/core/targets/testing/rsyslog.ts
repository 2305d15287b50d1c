/**
 * Debian's rsyslog with TLS, in its own folder and on its own port. It writes each message with its structured data into a file.
 */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {connect} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {freePort} from '#base/testing/port.ts'
import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import {patienceMs} from '#base/testing/until.ts'

const program = '/usr/sbin/rsyslogd'
const driver = '/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_gtls.so'

/** Why it cannot be started here; `null` when it can. */
export function rsyslogMissing(): string | null {
	return existsSync(program) && existsSync(driver) ? null : 'rsyslog with TLS is not installed (apt-get install rsyslog rsyslog-gnutls)'
}

export async function startRsyslog() {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-rsyslog-'))
	const port = await freePort()
	const authority = await makeAuthority()
	const {cert, key} = await authority.issue('localhost')
	const file = (name: string, text: string) => {
		writeFileSync(join(folder, name), text, {mode: 0o600})
		return join(folder, name)
	}
	const out = join(folder, 'out.log')
	const configuration = `
global(workDirectory="${folder}" maxMessageSize="64k" defaultNetstreamDriver="gtls"
  defaultNetstreamDriverCAFile="${file('ca.pem', authority.cert)}"
  defaultNetstreamDriverCertFile="${file('cert.pem', cert)}" defaultNetstreamDriverKeyFile="${file('key.pem', key)}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1")
template(name="line" type="string" string="%structured-data% %msg%\\n")
action(type="omfile" file="${out}" template="line")
`
	const path = file('rsyslog.conf', configuration)
	let child: ChildProcess | undefined
	const rsyslog = {
		port,
		/** PEM. */
		ca: authority.cert,
		lines: () => (existsSync(out) ? readFileSync(out, 'utf8').split('\n').slice(0, -1) : []),
		kill: async () => {
			if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
			child.kill('SIGKILL')
			await once(child, 'exit')
		},
		start: async () => {
			rmSync(join(folder, 'pid'), {force: true})
			child = spawn(program, ['-n', '-f', path, '-i', join(folder, 'pid')], {stdio: 'ignore'})
			await listening(port, child)
		},
		stop: async () => {
			await rsyslog.kill()
			rmSync(folder, {recursive: true, force: true})
		}
	}
	await rsyslog.start()
	return rsyslog
}

async function listening(port: number, child: ChildProcess) {
	for (const end = performance.now() + patienceMs; performance.now() < end;) {
		if (child.exitCode !== null) throw new Error(`rsyslog ended with code ${child.exitCode}.`)
		const socket = connect(port, '127.0.0.1')
		const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
		socket.destroy()
		if (isOpen) return
		await sleep(50)
	}
	throw new Error('rsyslog did not start.')
}
