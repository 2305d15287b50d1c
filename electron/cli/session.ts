/** The profile of one invocation. */
import {config} from 'zod'

import type {Probe} from '#core/service/connections/probe.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {OpenedInstances} from '#gateway/instances/open.ts'
import {openProfile, type Profile} from '#core/app/profile.ts'
import type {Ports, SecretStore} from '#base/ports.ts'
import {waitingAtMost} from '#base/acting.ts'
import {managedFileOf, prepareProfileFolder, proxyEnvironmentOf, systemClock, systemRandom} from '#base/system.ts'
import {CordonError} from '#contract/errors.ts'
import {version} from '#shared/version.ts'

import type {ConsoleDependencies} from './console-parts.ts'
import type {Sub} from './argv.ts'
import type {Globals} from './globals.ts'
import {profileFolder, type CliHost} from './host.ts'
import type {Output} from './output.ts'

export interface Session {
	readonly ports: Ports
	readonly profile: Profile
	/** Parts of a running console; when set, nothing is opened here. */
	readonly console?: ConsoleDependencies | undefined
}

/** A subcommand, where it runs, and where it prints. */
export interface SubCall {
	readonly sub: Sub
	readonly host: CliHost
	readonly output: Output
	/** The first value of an option. */
	readonly option: (name: string) => string | undefined
}

/** With its profile open. */
export interface SubRun extends SubCall {
	readonly session: Session
}

/** Stores only, also the service, or everything *Test* reads. */
type Needs = 'stores' | 'service' | 'test'

/** Opens the profile, runs the work, and always closes it. */
export async function withSession<T>(globals: Globals, host: CliHost, needs: Needs, work: (session: Session) => Promise<T>): Promise<T> {
	const {console} = host
	const waiting = (session: Session) => waitingAtMost(globals.maxWaitMs, () => work(session))
	if (console !== undefined) return await waiting({ports: console.ports, profile: console.profile, console})
	// For the few checks of one command, compiling a schema costs more than it saves.
	config({jitless: true})
	const ports = makePorts(globals, host)
	const createClient = needs === 'stores' ? noClient : (await import('#core/service/api/client.ts')).createApiClient
	const probe = needs === 'test' ? (await import('#core/service/connections/network-probe.ts')).networkProbe : noProbe
	const profile = openProfile(ports, {createClient, probe, userAgent: `Cordon/${version}`})
	const cutOff = () => void profile.connections.stop()
	host.cut.addEventListener('abort', cutOff, {once: true})
	try {
		return await waiting({ports, profile})
	} finally {
		host.cut.removeEventListener('abort', cutOff)
		await profile.stop()
	}
}

export function inSession<T>(call: SubCall, needs: Needs, work: (run: SubRun) => T | Promise<T>): Promise<T> {
	return withSession(call.sub.globals, call.host, needs, async session => await work({...call, session}))
}

/** Stored instances without running any; loaded at first use. */
export async function withInstances<T>(
	{ports, profile, console}: Session,
	work: (opened: Omit<OpenedInstances, 'stop'>) => T | Promise<T>
): Promise<T> {
	if (console !== undefined) return await work({...console.opened, instances: console.instances})
	const {openInstances} = await import('#gateway/instances/open.ts')
	const log = (entry: NewEntry) => void profile.note(entry)
	const opened = openInstances({ports, database: profile.database, log})
	try {
		return await work(opened)
	} finally {
		await opened.stop()
	}
}

function makePorts(globals: Globals, host: CliHost): Ports {
	const folder = prepareProfileFolder(profileFolder(globals.profile, host))
	return {
		host: 'cli',
		profile: folder,
		operator: host.operator,
		secrets: lazySecrets(globals, host, folder),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: proxyEnvironmentOf(host.environment),
		managedFile: managedFileOf(host.platform, host.environment),
		notify: () => {}
	}
}

/** The same store as every console's; loaded with the first secret. */
function lazySecrets(globals: Globals, host: CliHost, folder: string): SecretStore {
	let opened: Promise<SecretStore> | undefined
	let known: SecretStore | undefined
	const store = () => (opened ??= openSecrets(globals, host, folder).then(found => (known = found)))
	return {
		get kind() {
			return known?.kind ?? 'encrypted file'
		},
		unavailable: async () => (await store()).unavailable(),
		read: async name => (await store()).read(name),
		write: async (name, value) => (await store()).write(name, value),
		remove: async name => (await store()).remove(name)
	}
}

async function openSecrets({passphraseFile}: Globals, host: CliHost, folder: string) {
	const [{openSecretVault}, {systemKeyStore}] = await Promise.all([import('../secrets/vault.ts'), import('../secrets/key-store.ts')])
	const keyStore = systemKeyStore(host.platform, host.environment['CORDON_KEY_STORE'])
	if (passphraseFile === undefined) return openSecretVault({folder, random: systemRandom, keyStore})
	const {readSecretLine} = await import('./key.ts')
	const passphrase = () => readSecretLine(host, passphraseFile, 'passphrase-file')
	return openSecretVault({folder, random: systemRandom, keyStore, passphrase})
}

const noProbe: Probe = {resolve: noClient, connect: noClient, handshake: noClient}

function noClient(): never {
	throw new CordonError('internal', 'This command does not talk to the service.')
}
