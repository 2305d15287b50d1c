import {createRouterClient} from '@orpc/server'

import {type SandboxOptions, startSandbox} from '#sandbox/server.ts'

import {type App, createApp} from '#core/app/app.ts'
import type {AppOptions} from '#core/app/base.ts'
import {createProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {testPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'

import {gateway} from '../gateway.ts'

/** The whole application; silent without a program log. */
export function startApp(ports: Ports, options: Partial<AppOptions> = {}): Promise<App> {
	return createApp(ports, {gateway, version: '0.0.0', programLog: createProgramLog({level: 'silent'}), ...options})
}

export type AppWorld = Awaited<ReturnType<typeof startWorld>>

/** The whole application over a sandbox of its own. */
export async function startWorld(of: Omit<SandboxOptions, 'port' | 'now'>, options: Partial<AppOptions> = {}, ports = testPorts()) {
	const sandbox = await startSandbox({port: 0, now: ports.clock.now, ...of})
	const app = await startApp(ports, {sandbox, ...options})
	const stop = async () => {
		await app.stop()
		await sandbox.stop()
		ports.remove()
	}
	return {ports, sandbox, app, client: createRouterClient(app.router), stop}
}

export async function firstListing(app: App, connection = 'sandbox') {
	await until('the first listing', () => app.inventory(connection).state().phase === 'complete')
}
