/** Ports for tests: a temporary profile, secrets in memory, time that only moves when told. */
import {randomBytes} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import type {Notice, Ports, SecretStore} from '../ports.ts'

export interface TestPorts extends Ports {
	clock: TestClock
	notices: Notice[]
	/** Removes the profile. */
	remove(): void
}

/** With `eager` every pause ends at once and moves the time by its length. */
export function testPorts(options: {eager?: boolean; host?: Ports['host']} = {}): TestPorts {
	const profile = mkdtempSync(join(tmpdir(), 'cordon-app-'))
	const notices: Notice[] = []
	return {
		host: options.host ?? 'headless',
		profile,
		operator: 'kim',
		secrets: memorySecrets(),
		clock: testClock({eager: options.eager ?? false}),
		random: randomBytes,
		proxyEnvironment: {},
		notify: notice => void notices.push(notice),
		notices,
		remove: () => rmSync(profile, {recursive: true, force: true})
	}
}

export function memorySecrets(kept = new Map<string, string>()): SecretStore {
	return {
		kind: 'memory',
		unavailable: async () => null,
		read: async name => kept.get(name),
		write: async (name, value) => void kept.set(name, value),
		remove: async name => {
			const before = kept.get(name)
			kept.delete(name)
			return async () => void (before !== undefined && kept.set(name, before))
		}
	}
}
