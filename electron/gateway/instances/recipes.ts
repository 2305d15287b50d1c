/** Ready texts to copy: addresses of an instance, and firewall settings for a list. None contains a secret. */
import type {ForwarderStatus, InstanceRow, Recipe} from '#contract/instances.ts'
import type {ListService} from '#model/instance.ts'

export function recipesOf(row: InstanceRow, server: ForwarderStatus): readonly Recipe[] {
	const {program} = row.instance
	const origin = originOf(server)
	const route = strictly(row.route)
	const facts: RecipeFacts = {
		row,
		server,
		url: `${origin}${route}`,
		problem: routeProblem(row, server),
		list: program.kind === 'builtin' && program.builtin.service === 'list' ? program.builtin : null
	}
	return [
		{kind: 'route', title: 'Route', text: facts.url, note: facts.problem},
		{kind: 'route_v8', title: 'Route, form of version 8', text: `${origin}/xsoar${route}`, note: facts.problem},
		direct(row),
		curl(facts),
		...taxii(facts),
		...firewallRecipes(facts)
	]
}

function originOf({origins, settings}: ForwarderStatus) {
	const [best] = origins
	if (best !== undefined) return best
	const [name = 'localhost'] = settings.hostnames
	return `https://${name}${settings.listen.port === 443 ? '' : `:${settings.listen.port}`}`
}

/** Some characters allowed in a path are special in a shell or a firewall's command line. */
function strictly(path: string) {
	return path.replaceAll(/[^A-Za-z0-9/%._~-]/g, text =>
		[...Buffer.from(text)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
	)
}

function routeProblem({exposure, instance}: InstanceRow, server: ForwarderStatus) {
	if (server.state !== 'running') return 'The forwarding server does not run: nothing answers at this address now.'
	if (!server.hasRoute) return `Platform version ${server.settings.platformVersion} has no route: the answer is 404.`
	if (!exposure.exposed) return 'The instance is not exposed: the answer is 404 until it is.'
	return instance.enabled ? null : 'The instance is disabled: the answer is 503.'
}

function direct({instance, direct: address}: InstanceRow): Recipe {
	const host = instance.host.includes(':') ? `[${instance.host}]` : instance.host
	return {
		kind: 'direct',
		title: 'Direct, without the route',
		text: address ?? `http://${host}:${instance.listenPort}`,
		note:
			address === null
				? 'Only from this computer: the instance listens on loopback. Open its port to reach it from others.'
				: 'Plain HTTP, without the access control of the route.'
	}
}

function curl({row, server, url, problem}: RecipeFacts): Recipe {
	const {argument, note} = curlAccess(row)
	const local = server.certificate?.kind !== 'imported'
	const words = ['curl', '--fail', ...(local ? ['--cacert', authorityFile] : []), ...argument, shellWord(url)]
	const hint = local ? `Export the authority's certificate as ${authorityFile} first.` : null
	return {kind: 'curl', title: 'curl', text: words.join(' '), note: sentences(problem, note, hint)}
}

function taxii({row: {instance}, url, problem}: RecipeFacts): readonly Recipe[] {
	const {program} = instance
	if (program.kind !== 'builtin' || program.builtin.service !== 'indicators') return []
	return [{kind: 'taxii', title: 'TAXII 2.1 discovery', text: `${url}/taxii2/`, note: problem}]
}

/** Placeholders for secrets. */
function curlAccess({instance: {access, secrets}}: InstanceRow): {argument: readonly string[]; note: string | null} {
	switch (access.kind) {
		case 'none':
			return {argument: [], note: null}
		case 'basic':
			return {argument: ['--user', shellWord(secrets.users[0] ?? 'USER')], note: 'curl asks for the password.'}
		case 'bearer': {
			const scheme = access.header.toLowerCase() === 'authorization' ? 'Bearer ' : ''
			return {argument: ['--header', `"${access.header}: ${scheme}$TOKEN"`], note: 'Put the token into TOKEN first.'}
		}
		case 'certificate':
			return {argument: ['--cert', 'client.pem', '--key', 'client.key'], note: 'Needs a client certificate.'}
		case 'hmac':
			return {argument: [], note: 'Each body must be signed by the sender: without a signature the answer is 401.'}
		default:
			return access satisfies never
	}
}

/** For POSIX shells. */
function shellWord(text: string) {
	return /^[A-Za-z0-9%+,./:=@_-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Settings of firewalls for a list. Limits and options: route description, 5.1. */
interface ListFacts extends RecipeFacts {
	list: ListService
}

/** Only for lists, and for products that support such lists. */
function firewallRecipes({list, ...facts}: RecipeFacts): readonly Recipe[] {
	if (list === null) return []
	return [panos, fortigate, fmc, checkpoint].flatMap(recipe => recipe({...facts, list}) ?? [])
}

/** Firewalls send only a user name and a password. */
function basicOnly({row}: ListFacts) {
	const {kind} = row.instance.access
	return kind === 'none' || kind === 'basic' ? null : `It cannot pass the access control of this instance (${kind}).`
}

function userOf({row}: ListFacts) {
	const {access, secrets} = row.instance
	return access.kind === 'basic' ? (secrets.users[0] ?? 'USER') : null
}

/** A name valid in every product: letters, digits, `_` and `-`. */
function objectName({row}: ListFacts) {
	const plain = row.instance.name.normalize('NFKD').replaceAll(/[^A-Za-z0-9_-]+/g, '-')
	return `cordon-${plain.replace(/^-+|-+$/g, '') || 'list'}`.slice(0, 31)
}

/** In double quotes of a firewall's command line. */
function quoted(text: string) {
	return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

const panosIntervals = [
	[3600, 'five-minute'],
	[86_400, 'hourly']
] as const

function panos(facts: ListFacts): Recipe | null {
	const {list, url, problem} = facts
	if (list.type === 'sha256') return null
	const begin = `set external-list ${objectName(facts)} type ${list.type}`
	const often = panosIntervals.find(([below]) => list.refreshS < below)?.[1]
	const user = userOf(facts)
	const lines = [
		`${begin} url ${quoted(`${url}/panos/${list.type}`)}`,
		`${begin} recurring ${often ?? 'daily at 03'}`,
		`${begin} certificate-profile cordon`,
		...(user === null ? [] : [`${begin} auth username ${quoted(user)}`, `${begin} auth password PASSWORD`])
	]
	const profile = `Import ${authorityFile} and make a certificate profile "cordon" with it: without one PAN-OS takes no HTTPS list.`
	const note = sentences(problem, basicOnly(facts), profile, 'When authentication fails, PAN-OS stops enforcing the list.')
	return {kind: 'panos', title: 'PAN-OS', text: lines.join('\n'), note}
}

const fortigateTypes = {ip: 'address', domain: 'domain', url: 'category', sha256: 'malware'} as const

function fortigate(facts: ListFacts): Recipe {
	const {list, url, problem} = facts
	const type = fortigateTypes[list.type]
	const user = userOf(facts)
	const categorised = type === 'domain' || type === 'category'
	const lines = [
		'config system external-resource',
		`    edit ${quoted(objectName(facts))}`,
		`        set type ${type}`,
		...(categorised ? ['        set category 192'] : []),
		`        set resource ${quoted(`${url}/fortigate/${list.type}`)}`,
		...(user === null ? [] : [`        set username ${quoted(user)}`, '        set password PASSWORD']),
		`        set refresh-rate ${minutes(list, 43_200)}`,
		'        set server-identity-check full',
		'    next',
		'end'
	]
	const category = categorised ? 'Any free category from 192 to 221 will do.' : null
	const note = sentences(problem, basicOnly(facts), `Import ${authorityFile} as a CA certificate first.`, category)
	return {kind: 'fortigate', title: 'FortiGate', text: lines.join('\n'), note}
}

function minutes(list: ListService, most: number) {
	return Math.min(most, Math.max(1, Math.ceil(list.refreshS / 60)))
}

const fmcTypes = {ip: 'Network Lists and Feeds', domain: 'DNS Lists and Feeds', url: 'URL Lists and Feeds'} as const

/** The intervals offered by the management center, in minutes. */
const fmcIntervals = [5, 10, 15, 30, 60, 120, 240, 480, 720, 1440] as const

function fmc(facts: ListFacts): Recipe | null {
	const {list, url, problem, row} = facts
	if (list.type === 'sha256') return null
	const path = `${url}/cisco/${list.type === 'domain' ? 'dns' : list.type}`
	const interval = fmcIntervals.find(offered => offered >= minutes(list, 1440)) ?? 1440
	const lines = [
		`Objects > Object Management > Security Intelligence > ${fmcTypes[list.type]} > Add`,
		`Name: ${objectName(facts)}`,
		'Type: Feed',
		`Feed URL: ${path}`,
		// Required for intervals below an hour.
		...(interval <= 30 ? [`MD5 URL: ${path}.md5`] : []),
		`Update Frequency: ${interval} minutes`
	]
	const credentials =
		row.instance.access.kind === 'none' ? null : 'It has no field for credentials: let it in by its address instead of by this access control.'
	const note = sentences(problem, credentials, `It must trust the authority of ${authorityFile}.`)
	return {kind: 'fmc', title: 'Cisco Secure Firewall Management Center', text: lines.join('\n'), note}
}

const checkpointTypes = {ip: 'ip', domain: 'domain', url: 'url', sha256: 'sha256'} as const

function checkpoint(facts: ListFacts): Recipe {
	const {list, url, problem} = facts
	const user = userOf(facts)
	const words = [
		'ioc_feeds add',
		`--feed_name ${objectName(facts)}`,
		'--transport https',
		`--resource ${quoted(`${url}/plain`)}`,
		`--format "[type:${checkpointTypes[list.type]},value:#1]"`,
		'--comment "[#]"',
		...(user === null ? [] : [`--user_name ${quoted(user)}`])
	]
	const cut = list.type === 'ip' ? 'It knows IPv4 addresses and ranges, but neither networks nor IPv6.' : null
	const check = 'Run it in expert mode on every gateway, and compare the options with "ioc_feeds -h" of its version.'
	const note = sentences(problem, basicOnly(facts), cut, check, `The gateway must trust the authority of ${authorityFile}.`)
	return {kind: 'checkpoint', title: 'Check Point', text: words.join(' '), note}
}

/** Common to all recipes of an instance. */
interface RecipeFacts {
	row: InstanceRow
	server: ForwarderStatus
	/** `https://host[:port]/instance/execute/<name>`, without a final slash. */
	url: string
	/** Why the route cannot be used now, in a sentence, or `null`. */
	problem: string | null
	/** `null` for other instances than lists. */
	list: ListService | null
}

/** File name of the exported authority certificate, used in commands. */
const authorityFile = 'cordon-ca.pem'

/** The joined sentences, or `null`. */
function sentences(...parts: readonly (string | null)[]) {
	return parts.filter(part => part !== null).join(' ') || null
}
