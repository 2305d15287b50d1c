/** A small disk that can be filled and made read-only: Linux, as root. */
import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

export type SmallDisk = ReturnType<typeof mountSmallDisk>

export const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && canMount()

export function mountSmallDisk(below: string, megabytes = 1) {
	const path = join(below, 'disk')
	mkdirSync(path)
	chmodSync(path, 0o700)
	mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path)
	let mounts = 1
	return {
		path,
		/** Writes until nothing more fits. Returns a function that frees the space. */
		fill: () => {
			const ballast = join(path, 'ballast')
			try {
				writeFileSync(ballast, Buffer.alloc((megabytes + 1) * 1024 * 1024))
			} catch {
				// As intended.
			}
			return () => rmSync(ballast)
		},
		setReadOnly: (readOnly: boolean) => {
			if (mounts === 1) {
				mount('-o', 'bind', path, path)
				mounts = 2
			}
			mount('-o', `remount,bind,${readOnly ? 'ro' : 'rw'}`, path)
		},
		remove: () => {
			for (; mounts > 0; mounts -= 1) spawnSync('umount', ['-l', path])
		}
	}
}

function mount(...argv: string[]) {
	const {status, stderr} = spawnSync('mount', argv)
	if (status !== 0) throw new Error(`mount ${argv.join(' ')}: ${String(stderr)}`)
}

function canMount() {
	const probe = mkdtempSync(join(tmpdir(), 'cordon-mount-'))
	const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe]).status === 0
	if (isMounted) spawnSync('umount', [probe])
	rmSync(probe, {recursive: true, force: true})
	return isMounted
}
