/** The certificate of the forwarding server: an imported one, else one of the local authority. */
import {X509Certificate} from 'node:crypto'

import type {Clock} from '#base/ports.ts'
import {createTurns} from '#base/turns.ts'
import {CordonError, messageOf} from '#contract/errors.ts'
import type {CertificateStatus} from '#contract/instances.ts'
import type {Credentials} from '../types.ts'
import {describeCertificate, spanOf, uncovered} from './describe.ts'
import {type AuthorityFiles, fileNames, openFiles, type TryLock} from './files.ts'
import {followFiles} from './follow-files.ts'
import {checkImport, dayOf} from './imported.ts'
import {ensureLocal, type Local, type LocalContext, localProblem, renewFix, renewLocal} from './local.ts'
import {machineNames, type Names, privateNetworks, wantedNames, within} from './names.ts'
import {joinPair, type Pair, splitPair} from './pem.ts'
import {isPublicChain} from './public.ts'

export interface AuthorityOptions {
	/** `<profile>/forwarder`. */
	folder: string
	clock: Clock
	random(bytes: number): Uint8Array
	/** Names and addresses configured by the operator; read again at every check. */
	hostnames(): readonly string[]
	/** This computer's own; default: from the operating system. */
	machine?(): Names
	/** `tryLockFile` of the store. */
	tryLock: TryLock
	/** Problems in the background. */
	onTrouble?(message: string, error?: unknown): void
}

interface AuthorityExport {
	name: string
	mediaType: string
	/** PEM text, or base64 of the DER form. */
	content: string
	hints: readonly ImportHint[]
}

/** Errors are `bad_certificate`, `storage` and `disk_full`. The owner calls `stop`. */
export type CertificateAuthority = Awaited<ReturnType<typeof openAuthority>>

const lookEveryMs = 60_000

export async function openAuthority(options: AuthorityOptions) {
	const {clock} = options
	const files = openFiles(options.folder, options.tryLock, clock)
	const context = () => contextOf(options, files)
	// Two checks must not both find work.
	const inTurn = createTurns()
	const listeners = new Set<(credentials: Credentials) => void>()
	let current: Current = await lookAtFiles(context())
	/** Why the last look failed. */
	let trouble: string | null = null
	/** Called with every change of an instance's health. */
	let judged: {of: Current; isPublic: boolean} | undefined

	async function look() {
		const before = current
		try {
			current = await lookAtFiles(context())
			trouble = null
		} catch (error) {
			trouble = `The certificate cannot be checked or renewed: ${messageOf(error)}`
			throw error
		}
		if (current.kind === 'failed' || isSame(before, current)) return
		for (const listener of listeners) listener(credentialsOf(current.pair))
	}

	function shown() {
		if (current.kind === 'failed') throw current.error
		return current
	}

	function isPublic() {
		if (judged?.of !== current) judged = {of: current, isPublic: current.kind === 'imported' && isPublicChain(current.pair.chain)}
		return judged.isPublic
	}

	function status(): CertificateStatus {
		const found = statusOf(shown(), context(), options.hostnames())
		return {...found, problem: found.problem ?? trouble}
	}

	/** Changes the files, then reloads them. */
	function change(work: () => Promise<unknown>) {
		return inTurn(async () => {
			await work()
			await look()
			return status()
		})
	}

	async function renew() {
		if (current.kind === 'imported') {
			const fix = 'Import a newer one, or go back to a certificate of the local authority.'
			throw new CordonError('bad_certificate', 'An imported certificate cannot be renewed here.', {fix})
		}
		await renewLocal(context())
	}

	async function importPair(input: Credentials) {
		const checked = checkImport(input, clock.now())
		return change(() => files.locked(async () => files.write(fileNames.imported, joinPair(checked))))
	}

	function onChange(listener: (credentials: Credentials) => void) {
		listeners.add(listener)
		return () => void listeners.delete(listener)
	}

	const stopWatching = watch(options, () => inTurn(look))
	return {
		/** Throws `bad_certificate` without a usable certificate; fixed by `renew` or `import`. */
		credentials: () => credentialsOf(shown().pair),
		/** Throws as `credentials` does. */
		status,
		/** Whether a public authority signed the certificate: only then browsers get HSTS. */
		isPublic,
		exportAuthority: (format: 'pem' | 'der') => inTurn(() => exportOf(context(), format)),
		import: importPair,
		useLocal: () => change(() => files.locked(async () => files.remove(fileNames.imported))),
		renew: () => change(renew),
		/** Checks names, dates and files now, as every minute, and after another process changed the files. */
		refresh: () => inTurn(look),
		/** Called with new credentials whenever they change. Returns an unsubscribe function. */
		onChange,
		/** The local authority's certificate, readable by others. */
		authorityPath: files.path(fileNames.authorityCopy),
		stop: async () => {
			await stopWatching()
			await inTurn(async () => {})
		}
	}
}

/** Checks every minute, and when another process changed the files; a problem is reported once. */
function watch(options: AuthorityOptions, look: () => Promise<void>) {
	const stopping = new AbortController()
	let trouble = ''

	function tell(error: unknown) {
		const message = messageOf(error)
		if (message !== trouble) options.onTrouble?.('The certificate of the forwarding server could not be looked after.', error)
		trouble = message
	}

	async function lookAndTell() {
		if (!stopping.signal.aborted) await look().then(() => (trouble = ''), tell)
	}

	async function run() {
		while (!stopping.signal.aborted) {
			await options.clock.sleep(lookEveryMs, stopping.signal)
			await lookAndTell()
		}
	}

	// Ends only when stopped; then the sleep rejects.
	const running = run().catch(() => {})
	const unfollow = followFiles(options.folder, () => void lookAndTell())
	return () => {
		unfollow()
		stopping.abort()
		return running
	}
}

async function exportOf(context: LocalContext, format: 'pem' | 'der'): Promise<AuthorityExport> {
	const local = await ensureLocal(context)
	if (local.authority === null) throw authorityError(local, context)
	const {certificate, chain} = local.authority
	if (format === 'pem') {
		return {name: 'cordon-ca.pem', mediaType: 'application/x-pem-file', content: certificate, hints: importHints}
	}
	const content = chain[0].raw.toString('base64')
	return {name: 'cordon-ca.cer', mediaType: 'application/pkix-cert', content, hints: importHints}
}

/** Own addresses change: one outside the private ranges needs no new authority unless requested. */
function contextOf(options: AuthorityOptions, files: AuthorityFiles): LocalContext {
	const machine = options.machine?.() ?? machineNames()
	const configured = options.hostnames()
	const lasting = within(machine, {names: [], networks: privateNetworks}).inside.addresses
	return {
		files,
		source: {now: options.clock.now(), random: bytes => options.random(bytes)},
		names: wantedNames(configured, machine),
		asked: wantedNames(configured, {hostnames: machine.hostnames, addresses: lasting}),
		host: machine.hostnames[0] ?? 'localhost'
	}
}

function isSame(before: Current, now: Shown) {
	return before.kind !== 'failed' && joinPair(before.pair) === joinPair(now.pair)
}

function credentialsOf({certificate, key}: Pair): Credentials {
	return {certificate, key}
}

/** The current certificate and its remarks. */
type Shown =
	| {kind: 'imported'; pair: Pair}
	/** `note`: why an imported one is not used. */
	| {kind: 'local'; pair: Pair; local: Local; note: string | null}

type Current = Shown | {kind: 'failed'; error: CordonError}

const soonMs = 30 * 86_400_000

/** Reads the files, and creates or renews what is due. */
async function lookAtFiles(context: LocalContext): Promise<Current> {
	const imported = readImported(context.files)
	if (imported.pair !== null) return {kind: 'imported', pair: imported.pair}
	const local = await ensureLocal(context)
	if (local.server !== null) return {kind: 'local', pair: local.server, local, note: imported.note}
	return {kind: 'failed', error: authorityError(local, context)}
}

/** `configured`: names that the operator gave to the server. */
function statusOf(shown: Shown, context: LocalContext, configured: readonly string[]) {
	const [leaf] = shown.pair.chain
	if (shown.kind === 'imported') {
		return describeCertificate('imported', leaf, null, ownProblem(shown.pair.certificate, configured, context.source.now))
	}
	const problem = shown.note ?? localProblem(shown.local, context)
	return describeCertificate('local', leaf, shown.local.authority?.chain[0] ?? null, problem)
}

function authorityError(local: Local, context: LocalContext) {
	const problem = localProblem(local, context) ?? 'There is no certificate to show.'
	return new CordonError('bad_certificate', problem, {field: fileNames.authority, fix: renewFix})
}

function readImported(files: AuthorityFiles): {pair: Pair | null; note: string | null} {
	const text = files.read(fileNames.imported)
	if (text === null) return {pair: null, note: null}
	const pair = text === 'open' ? 'is open to other users' : splitPair(text)
	if (typeof pair !== 'string') return {pair, note: null}
	return {pair: null, note: `The imported certificate is not used: ${fileNames.imported} ${pair}. Import it again.`}
}

/** Of a certificate (PEM) that is not renewed here. */
export function ownProblem(text: string, configured: readonly string[], now: number) {
	const leaf = new X509Certificate(text)
	const {begin, end} = spanOf(leaf)
	if (now >= end) return `Your certificate ended on ${dayOf(end)}: replace it.`
	if (now < begin) return `Your certificate is not valid before ${dayOf(begin)}.`
	const missing = uncovered(leaf, configured)
	if (missing.length > 0) return `Your certificate does not name ${missing.join(', ')}.`
	return end - now < soonMs ? `Your certificate ends on ${dayOf(end)}: replace it.` : null
}

/** Where to import the local authority, by product. Menus as documented by the vendors. */
interface ImportHint {
	product: string
	steps: string
}

const pem = 'cordon-ca.pem'
const der = 'cordon-ca.cer'

const importHints: readonly ImportHint[] = Object.entries({
	'PAN-OS': [
		`Device > Certificate Management > Certificates > Import: type Local, name cordon-ca, file ${pem}, format Base64 Encoded Certificate (PEM), no private key.`,
		'Device > Certificate Management > Certificate Profile > Add: name cordon, CA Certificates > Add > cordon-ca. Leave Use CRL and Use OCSP off: a local authority publishes neither.',
		'Objects > External Dynamic Lists: choose the profile cordon as Certificate Profile. User and password appear once a profile is chosen. Commit.',
		'The host in the URL must be a name or address of the certificate, or authentication fails and the firewall stops enforcing the list.'
	],
	FortiGate: [
		`System > Certificates > Create/Import > CA Certificate > File: ${pem}. (Feature Visibility > Certificates shows the menu.)`,
		'It is listed as CA_Cert_1 or the like among the remote authorities.',
		'A threat feed checks certificates only when told so: config system external-resource, edit the feed, set server-identity-check full, next, end.'
	],
	FMC: [
		`Objects > Object Management > PKI > Trusted CAs > Add Trusted CA: name cordon-ca, browse to ${pem}, Save.`,
		'For a source of Threat Intelligence Director: Edit Source > SSL Settings > Self-Signed Certificate, hostname verification Strict, and paste the PEM text.'
	],
	'Windows (Chrome, Edge)': [
		`For this user: certutil -user -addstore Root ${der}`,
		`For all users, as administrator: certutil -addstore Root ${der}`,
		'Restart the browser.'
	],
	'macOS (Chrome, Safari)': [
		`sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${pem}`,
		'Or open the file in Keychain Access and set Trust > When using this certificate to Always Trust.'
	],
	'Linux (curl and other programs)': [
		`Debian, Ubuntu: copy ${pem} to /usr/local/share/ca-certificates/cordon-ca.crt and run update-ca-certificates as root.`,
		`Fedora, RHEL: copy ${pem} to /etc/pki/ca-trust/source/anchors/ and run update-ca-trust as root.`,
		`Once only: curl --cacert ${pem} https://…`
	],
	'Linux (Chrome, Chromium)': [
		`certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n "Cordon local authority" -i ${pem}`,
		'certutil is in the package libnss3-tools or nss-tools. Restart the browser.'
	],
	Firefox: [
		`Settings > Privacy & Security > Certificates > View Certificates > Authorities > Import: ${pem}, then Trust this CA to identify websites.`
	]
}).map(([product, steps]) => ({product, steps: steps.join('\n')}))
