import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {z} from 'zod'

const schema = z.object({pid: z.number(), url: z.string()})

/** Location of the running console on a profile, for a second start to name. Holds no ticket. */
export function writeConsoleFile(profile: string, url: string) {
	const file = join(profile, 'console.json')
	writeFileSync(file, JSON.stringify({pid: process.pid, url}), {mode: 0o600})
	return () => rmSync(file, {force: true})
}

export function readConsoleFile(profile: string): z.infer<typeof schema> | undefined {
	try {
		return schema.parse(JSON.parse(readFileSync(join(profile, 'console.json'), 'utf8')))
	} catch {
		return undefined
	}
}
