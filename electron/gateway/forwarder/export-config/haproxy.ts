/** For HAProxy 2.6 or later, as an additional configuration file (`haproxy -f haproxy.cfg -f cordon.cfg`). */
import {pseudonymOf} from '../headers/names.ts'
import {exported} from './exported.ts'
import {haproxyBackend} from './haproxy-backend.ts'
import {commentText, hexOf, plainPath, spellings} from './quoting.ts'
import {indented, type Report} from './report.ts'
import {hostPort, listenHosts} from './routed.ts'
import type {Exported, ExportInput, Routed} from './types.ts'

export function haproxyConfig(input: ExportInput): Exported {
	return exported(input, (routed, asksClients, report) => [
		'# The forwarding server of Cordon for HAProxy: give it as one more -f beside your own configuration.',
		'# What is not listed here answers 404, as it does in Cordon.',
		...globalNotes(input, report),
		'',
		defaults(input),
		...routed.flatMap(userList),
		frontend(input, routed, asksClients, report),
		...routed.map(one => haproxyBackend(one, input, report))
	])
}

function globalNotes({config: {limits}}: ExportInput, report: Report) {
	return [
		report.impossible(`heads of ${limits.headBytes} bytes with the usual buffers: set tune.bufsize and tune.http.maxhdr in the section global`),
		report.impossible('removing the fields that Connection names, and trailers by name'),
		report.impossible('502 for a connection that is refused and 504 for one that takes too long: HAProxy answers 503'),
		report.impossible('errors with Proxy-Status; the other statuses are the same'),
		report.impossible(
			'an early answer (401, 404, 405) to an HTTP/2 request with a body: the stream is reset, and clients such as curl show no status'
		)
	]
}

function defaults({config: {limits}}: ExportInput) {
	return `defaults cordon
${indented([
	'mode http',
	'option http-keep-alive',
	'option dontlognull',
	`timeout http-request ${limits.headMs}ms`,
	`timeout http-keep-alive ${limits.keepAliveMs}ms`,
	'timeout connect 2s',
	'timeout client 300s',
	'timeout server 300s',
	'timeout queue 30s',
	'retries 1'
])}
`
}

/** HAProxy refuses a hash unknown to crypt; this one fits no password. */
function userList({number, instance: {access}}: Routed) {
	if (access.kind !== 'basic') return []
	const lines = access.users.map(({name}) =>
		isPlainWord(name) ? `user ${name} password $5$cordon$nobody.has.this.password` : `# not possible here: the user ${commentText(name)}`
	)
	return [`userlist cordon_${number}\n${indented(['# Write a hash of "mkpasswd -m sha-256" behind each password.', ...lines])}\n`]
}

function isPlainWord(text: string) {
	return /^[A-Za-z0-9_.@-]+$/.test(text) && !text.startsWith('-')
}

/** Group 1 is the prefix; commas and brackets special to HAProxy are inside the quotes. */
const prefix = String.raw`(/xsoar|/acc[_-][^/]+)?/instance/execute/`

function frontend(input: ExportInput, routed: readonly Routed[], asksClients: boolean, report: Report) {
	const {listen, config, certificate, folder} = input
	const clients = asksClients
		? ` ca-file ${plainPath(`${folder}/cordon-client-authorities.pem`)} verify optional crt-ignore-err all ca-ignore-err all`
		: ''
	const {limits} = config
	return `frontend cordon from cordon
${indented([
	'# Certificate and key in one file: cat CERTIFICATE KEY > this file.',
	...listenHosts(input).map(
		host =>
			`bind ${hostPort(host, listen.port)}${host === '::' ? ' v6only' : ''} ssl crt ${plainPath(certificate.certificateFile)} alpn h2,http/1.1 ssl-min-ver TLSv1.2 no-tls-tickets${clients}`
	),
	`maxconn ${limits.connections}`,
	report.impossible(`a limit of ${limits.connectionsPerAddress} connections for one address that leaves this computer alone`),
	'',
	"http-request set-header X-Request-Id %[uuid()] unless { req.hdr(x-request-id) -m reg '^[A-Za-z0-9._-]{1,128}$' }",
	'http-request set-var(txn.cordon_id) req.hdr(x-request-id)',
	...before(input),
	'',
	`acl cordon_route path_reg '^${prefix}[^/]+'`,
	'http-request set-var(txn.cordon_uri) pathq',
	`http-request set-var(txn.cordon_prefix) 'path,regsub("^(${prefix}[^/]+).*$","\\1")'`,
	`http-request set-var(txn.cordon_rest) 'path,regsub("^${prefix}[^/]+","")'`,
	`http-request set-var(txn.cordon_name) 'path,regsub("^${prefix}",""),field(1,/),url_dec,hex'`,
	'',
	...routed.flatMap(nameRules),
	`http-request return status 404 content-type application/problem+json string '${notFound}' unless cordon_route${routed.length > 0 ? ' cordon_known' : ' FALSE'}`,
	'# Stricter here: a segment ".." is refused wherever it leads.',
	...['url_dec', 'url_dec,url_dec'].map(
		decoded => String.raw`http-request deny status 400 if { var(txn.cordon_rest),${decoded} -m reg '(^|[/\\])\.\.([/\\;]|$)' }`
	),
	...crossSite(routed),
	...requestFields(input),
	'',
	'http-request set-path / if { var(txn.cordon_rest) -m len 0 }',
	'http-request set-path %[var(txn.cordon_rest)] unless { var(txn.cordon_rest) -m len 0 }',
	'http-after-response set-header X-Request-Id %[var(txn.cordon_id)] if { var(txn.cordon_id) -m found }',
	...routed.map(({number}) => `use_backend cordon_${number} if cordon_is_${number}`)
])}
`
}

const notFound = '{"type":"about:blank","title":"Not Found","status":404}'

/** Names are compared as hexadecimal bytes, so that no character is read as configuration. */
function nameRules({number, names}: Routed) {
	return [
		`# ${names.map(commentText).join(', ')}`,
		...names.flatMap(name => spellings(name).map(bytes => `acl cordon_is_${number} var(txn.cordon_name) -m str ${hexOf(bytes)}`)),
		...names.flatMap(name => spellings(name).map(bytes => `acl cordon_known var(txn.cordon_name) -m str ${hexOf(bytes)}`)),
		''
	]
}

function before({config}: ExportInput) {
	const {trustedProxies, platformVersion} = config
	const own = ['localhost', ...config.hostnames].map(name => hexOf(Buffer.from(name)))
	return [
		'http-request deny status 405 if METH_CONNECT or METH_TRACE',
		'http-request deny status 400 if { req.hdr_names -m sub _ }',
		'acl cordon_own_host req.hdr(host),host_only,lower,hex -m str ' + own.join(' '),
		String.raw`acl cordon_own_host req.hdr(host),host_only -m reg '^([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|\[.*|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*)$'`,
		'http-request deny status 400 unless cordon_own_host',
		`http-request return status 508 if { req.fhdr(via) -m reg -i '(^|,) *[^ ,]+ +${pseudonymOf(config).replaceAll('.', String.raw`\.`)} *(,|$)' }`,
		`http-request return status 200 content-type application/json string '{"version":"${platformVersion.replaceAll(/[^\d.]/g, '')}"}' if METH_GET { path /instance/version }`,
		'http-request set-var(txn.cordon_peer) src',
		...(trustedProxies.length === 0
			? []
			: [
					`acl cordon_trusted src ${trustedProxies.join(' ')}`,
					'http-request set-var(txn.cordon_said) req.fhdr(x-forwarded-for) if cordon_trusted',
					'http-request set-var(txn.cordon_chain) req.fhdr(forwarded) if cordon_trusted',
					'http-request set-var(txn.cordon_proxy) bool(true) if cordon_trusted',
					...Array.from({length: mostProxies}, (_, index) => proxy(`req.hdr_ip(x-forwarded-for,-${index + 1})`)).flat(),
					'# Stricter here: no more trusted proxies one behind another.',
					'http-request deny status 400 if cordon_trusted !{ var(txn.cordon_client) -m found }'
				])
	]
}

const mostProxies = 8

/** One step to the left, from a trusted proxy only: whatever stands left of another address may be invented. */
function proxy(address: string) {
	return [
		`http-request set-var(txn.cordon_client) bool(true) unless cordon_trusted { ${address} -m found }`,
		`http-request set-src ${address} unless { var(txn.cordon_client) -m found }`
	]
}

/** Cross-site pages, decided as in `../policy.ts`. */
function crossSite(routed: readonly Routed[]) {
	const listed = routed.flatMap(({number, instance: {origins}}) =>
		origins.map(
			origin =>
				`http-request set-var(txn.cordon_listed) bool(true) if cordon_is_${number} ${origin === '*' ? 'cordon_has_origin' : `{ req.hdr(origin),lower,hex -m str ${hexOf(Buffer.from(origin.toLowerCase().replace(/\/$/, '')))} }`}`
		)
	)
	const pages = routed.filter(({instance}) => instance.webInterface)
	const navigates = 'METH_GET { req.hdr(sec-fetch-mode) -m str navigate } { req.hdr(sec-fetch-dest) -m str document }'
	return [
		'acl cordon_has_origin req.hdr(origin) -m found',
		...listed,
		`http-request set-var(txn.cordon_origin) 'req.hdr(origin),lower,regsub("^https://",""),regsub(":443$","")'`,
		`http-request set-var(txn.cordon_host) 'req.hdr(host),lower,regsub(":443$","")'`,
		`http-request set-var(txn.cordon_navigation) bool(true) if ${navigates} { req.hdr(sec-fetch-user) -m str ?1 }`,
		...pages.map(({number}) => `http-request set-var(txn.cordon_navigation) bool(true) if cordon_is_${number} ${navigates}`),
		'acl cordon_fetch req.hdr(sec-fetch-site) -m found',
		'acl cordon_fetch_none req.hdr(sec-fetch-site) -m str none',
		'acl cordon_fetch_same req.hdr(sec-fetch-site) -m str same-origin',
		'acl cordon_own_origin var(txn.cordon_host),strcmp(txn.cordon_origin) eq 0',
		'acl cordon_listed var(txn.cordon_listed) -m bool',
		'acl cordon_navigation var(txn.cordon_navigation) -m bool',
		'http-request deny status 403 if cordon_has_origin !cordon_fetch !cordon_own_origin !cordon_listed',
		'http-request deny status 403 if cordon_has_origin cordon_fetch_same !cordon_own_origin !cordon_listed',
		'http-request deny status 403 if cordon_fetch !cordon_fetch_same !cordon_fetch_none !cordon_listed !cordon_navigation'
	]
}

/** What a trusted proxy tells of the client. */
function keeps(told: string) {
	return ` unless { var(txn.cordon_proxy) -m bool } { req.hdr(x-forwarded-${told.split(' ')[0]}) -m found }`
}

function requestFields({config, listen}: ExportInput) {
	const trusted = config.trustedProxies.length > 0
	const via = `1.1 ${pseudonymOf(config)}`
	return [
		...['proxy-authorization', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'http2-settings', 'forwarded', 'x-real-ip'].map(
			name => `del-header ${name}`
		),
		...['x-console-', 'x-client-cert'].map(name => `del-header ${name} -m beg`),
		`del-header '^x-forwarded-(?!(proto|host|port)$)' -m reg`,
		// An instance may take any other mark in a name for a hyphen.
		`del-header '^(?![a-z0-9-]*$)(proxy.authorization|x.(forwarded|console|client.cert|real.ip|request.(id|uri)))' -m reg`,
		'del-header upgrade unless { req.hdr(upgrade) -i -m str websocket }',
		'del-header connection unless { req.hdr(upgrade) -m found }',
		'set-header connection upgrade if { req.hdr(upgrade) -m found }',
		'set-header X-Request-URI %[var(txn.cordon_uri)]',
		'set-header X-Forwarded-For %[var(txn.cordon_peer)]',
		...(trusted ? ['set-header X-Forwarded-For "%[var(txn.cordon_said)], %[var(txn.cordon_peer)]" if { var(txn.cordon_said) -m found }'] : []),
		...['Proto https', 'Host %[req.hdr(host)]', `Port ${listen.port === 0 ? '%[dst_port]' : listen.port}`].map(
			told => `set-header X-Forwarded-${told}${trusted ? keeps(told) : ''}`
		),
		'set-header X-Forwarded-Prefix %[var(txn.cordon_prefix)]',
		'set-header X-Real-IP %[src]',
		`set-header Via "%[req.fhdr(via)], ${via}" if { req.hdr(via) -m found }`,
		`set-header Via "${via}" unless { req.hdr(via) -m found }`
	].map(rule => `http-request ${rule}`)
}
