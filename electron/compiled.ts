import {chmodSync, mkdirSync} from 'node:fs'
import node from 'node:module'
import {homedir} from 'node:os'
import {join} from 'node:path'

/**
 * Node keeps what it compiles of everything that is loaded after this, so entries call it first. In a folder that only the user
 * may write, whatever the umask: compiled code in another could be somebody else's.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv) {
	try {
		const folder = join(environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cordon')
		mkdirSync(folder, {recursive: true, mode: 0o700})
		chmodSync(folder, 0o700)
		// An older Node has none, and is told about by the entry.
		node.enableCompileCache(join(folder, 'compiled'))
	} catch {
		// It starts slower.
	}
}
