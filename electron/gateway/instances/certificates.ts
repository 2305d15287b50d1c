import {existsSync} from 'node:fs'

import {hasCode} from '#contract/errors.ts'
import type {CertificateStatus} from '#contract/instances.ts'

import type {CertificateAuthority} from '../forwarder/tls/authority.ts'
import type {Clock} from '#base/ports.ts'
import {tryLockFile} from '#core/store/lock-file.ts'
import type {Certificates} from '#core/app/gateway.ts'
import type {InstanceStore} from './types.ts'

interface CertificatesOptions {
	/** For the authority and the server's certificate, readable by the owner only. */
	folder: string
	clock: Clock
	random(bytes: number): Uint8Array
	store: Pick<InstanceStore, 'note' | 'settings'>
}

type OnTrouble = (message: string, error?: unknown) => void

/** Opens the authority at first use, and creates a missing one. */
export interface OpenedCertificates extends Certificates {
	authority(): Promise<CertificateAuthority>
	/** Called on new credentials, and on problems in the background; returns an unsubscribe function. */
	onChange(listener: () => void, onTrouble: OnTrouble): () => void
	stop(): Promise<void>
}

export function openCertificates(options: CertificatesOptions): OpenedCertificates {
	const listeners = new Map<() => void, OnTrouble>()
	let opened: Promise<CertificateAuthority> | undefined
	const open = async () => {
		const made = await load(options, (...trouble) => listeners.forEach(tell => tell(...trouble)))
		made.onChange(() => listeners.forEach((_, listener) => listener()))
		return made
	}
	const authority = () => {
		opened ??= open().catch((error: unknown) => {
			// The next call tries again.
			opened = undefined
			throw error
		})
		return opened
	}
	const change = async (what: string, work: (of: CertificateAuthority) => Promise<CertificateStatus>) => {
		const of = await authority()
		const before = factsOf(statusOf(of))
		const after = await work(of)
		options.store.note(what, {before, after: factsOf(after)})
		return after
	}
	return {
		authority,
		status: async () => (opened === undefined && !existsSync(options.folder) ? null : statusOf(await authority())),
		exportAuthority: async format => (await authority()).exportAuthority(format),
		import: (certificate, key) => change('A certificate of the forwarding server was imported.', of => of.import({certificate, key})),
		useLocal: () => change('The forwarding server went back to a certificate of the local authority.', of => of.useLocal()),
		renew: () => change('The certificate of the forwarding server was renewed.', of => of.renew()),
		onChange: (listener, onTrouble) => {
			listeners.set(listener, onTrouble)
			return () => listeners.delete(listener)
		},
		stop: async () => {
			listeners.clear()
			await (await opened?.catch(() => {}))?.stop()
		}
	}
}

async function load({store, ...rest}: CertificatesOptions, onTrouble: OnTrouble) {
	const {openAuthority} = await import('../forwarder/tls/authority.ts')
	return openAuthority({...rest, hostnames: () => store.settings().settings.hostnames, tryLock: tryLockFile, onTrouble})
}

/** `null`: none usable. */
function statusOf(authority: CertificateAuthority) {
	try {
		return authority.status()
	} catch (error) {
		if (hasCode(error, 'bad_certificate')) return null
		throw error
	}
}

function factsOf(status: CertificateStatus | null): Readonly<Record<string, unknown>> {
	if (status === null) return {}
	const {kind, subject, names, notAfter, fingerprint} = status
	return {kind, subject, names, notAfter, fingerprint}
}
