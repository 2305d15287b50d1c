/** Like `service.ts`, with a console running on the profile: it answers each command through a real socket. */
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {createApp, type App} from '#core/app/app.ts'
import {createProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {gateway} from '#gateway/instances/gateway.ts'
import {startSandbox} from '#sandbox/server.ts'

import {openSecretVault} from '../../secrets/vault.ts'
import {keepOpened} from '../console-parts.ts'
import {answerCommandLines} from '../inside.ts'
import {addLab, linesIn, ofFile, serviceOf, type ServiceBench, type Tenant} from './service.ts'

export interface ConsoleBench extends ServiceBench {
	app: App
	profile: string
	/** Refused command lines. */
	refusals: readonly string[]
	/** Stops answering, the first step of a console's shutdown. */
	stopAnswering(): Promise<void>
}

/** The connection is `lab`. `busy`: whether the console also does its background work. */
export async function startConsoleBench(
	tenant: Tenant,
	{ports = {}, busy = true}: {ports?: Partial<Ports>; busy?: boolean} = {}
): Promise<ConsoleBench> {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-cli-console-'))
	const profile = join(folder, 'profile')
	mkdirSync(profile, {mode: 0o700})
	const sandbox = await startSandbox({port: 0, agentDelayMs: 0, ...tenant})
	const kept = keepOpened(gateway)
	const programLog = createProgramLog({level: 'silent'})
	const options = {gateway: kept.gateway, version: '0.0.0', programLog, console: busy}
	const app = await createApp(portsOf(profile, ports), options)
	const refusals: string[] = []
	const log = (message: string) => void refusals.push(message)
	const stopAnswering = await answerCommandLines({app, opened: kept.opened(), runtimeFolder: undefined, log})
	const lines = linesIn(folder)
	const stop = async () => {
		await stopAnswering()
		await app.stop()
		await sandbox.stop()
		rmSync(folder, {recursive: true, force: true})
	}
	const service = serviceOf(sandbox, folder)
	await addLab({service, sandbox, ...lines, stop})
	return {service, sandbox, profile, app, refusals, ...lines, stopAnswering, stop}
}

function portsOf(profile: string, ports: Partial<Ports>): Ports {
	return {
		host: 'headless',
		profile,
		operator: 'tester',
		secrets: openSecretVault({folder: profile, random: systemRandom}),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: {},
		notify: () => {},
		...ports
	}
}

/** For all tests of a file. */
export function consoleBench(...how: Parameters<typeof startConsoleBench>): ConsoleBench {
	return ofFile(() => startConsoleBench(...how))
}
