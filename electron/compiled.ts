import {enableCompileCache} from 'node:module'
import {homedir} from 'node:os'
import {join} from 'node:path'

/**
 * Node keeps what it compiles of everything that is loaded after this, so entries call it first. In the user's own folder:
 * compiled code in a shared one could be somebody else's.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
	enableCompileCache(join(environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cordon', 'compiled'))
}
