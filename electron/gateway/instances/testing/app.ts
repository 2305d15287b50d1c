import {type App, createApp} from '#core/app/app.ts'
import type {AppOptions} from '#core/app/base.ts'
import {createProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {until} from '#base/testing/until.ts'

import {gateway} from '../gateway.ts'

/** The whole application; silent without a program log. */
export function startApp(ports: Ports, options: Partial<AppOptions> = {}): Promise<App> {
	return createApp(ports, {gateway, version: '0.0.0', programLog: createProgramLog({level: 'silent'}), ...options})
}

export async function firstListing(app: App, connection = 'sandbox'): Promise<void> {
	await until('the first listing', () => app.inventory(connection).state().phase === 'complete')
}
