/** Debian's PostgreSQL in a folder of its own, reached by its socket alone. */
import {execFileSync, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {chownSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {until} from '#base/testing/until.ts'

const root = '/usr/lib/postgresql'

/** Folder of the newest version's programs; `undefined` where none is installed. */
export function postgresPrograms(): string | undefined {
	const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : []
	return versions.map(version => join(root, version, 'bin')).find(bin => existsSync(join(bin, 'initdb')))
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

/** It refuses to run as root, so root runs it as the user of its package. */
function ownerOf(): {uid?: number; gid?: number} {
	if (process.getuid?.() !== 0) return {}
	const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], {encoding: 'utf8'}))
	return {uid: id('-u'), gid: id('-g')}
}

export async function startPostgres(bin: string) {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-pg-'))
	const owner = ownerOf()
	if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
	const data = join(folder, 'data')
	const how = {...owner, cwd: folder, env: {LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin'}}
	const user = 'cordon'
	execFileSync(join(bin, 'initdb'), ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync'], {...{...how, stdio: 'ignore'}})
	let server: ChildProcess | undefined
	const end = async (signal: 'SIGKILL' | 'SIGINT') => {
		if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
		const closed = once(server, 'exit')
		server.kill(signal)
		await closed
	}
	const start = async () => {
		const args = ['-D', data, '-k', folder, '-c', 'listen_addresses=']
		server = spawn(join(bin, 'postgres'), args, {...how, stdio: 'ignore'})
		await until('PostgreSQL is ready', () => isReady(bin, folder, user))
	}
	await start()
	return {
		...{host: folder, user},
		/** On what it left. */
		start,
		/** Kills it at once. */
		kill: () => end('SIGKILL'),
		stop: async () => {
			await end('SIGINT')
			rmSync(folder, {recursive: true, force: true})
		}
	}
}

function isReady(bin: string, folder: string, user: string) {
	try {
		execFileSync(join(bin, 'pg_isready'), ['-q', '-h', folder, '-U', user], {stdio: 'ignore'})
		return true
	} catch {
		return false
	}
}
