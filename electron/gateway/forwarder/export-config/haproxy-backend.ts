/** One instance as a backend of HAProxy. */
import {ofTheHost} from '../headers/names.ts'
import type {ForwardedInstance} from '../types.ts'
import {commentText, hexOf} from './quoting.ts'
import {indented, time, waits, type Report} from './report.ts'
import {hostPort, isStopped, refusedFor} from './routed.ts'
import type {ExportInput, Routed} from './types.ts'

/** Seconds over which requests are counted. */
const window = 10

export function haproxyBackend(one: Routed, input: ExportInput, report: Report) {
	const {number, instance} = one
	const lines = [
		...refusals(instance),
		...rate(instance, report),
		...access(one, input, report),
		...limits(instance, report),
		...webInterface(instance),
		...requestFields(instance),
		...answer(instance, report),
		...timeouts(instance, report),
		serverLine(instance, report)
	]
	return `# ${commentText(instance.name)}\nbackend cordon_${number} from cordon\n${indented(lines.flatMap(line => line.split('\n')))}\n`
}

function refusals(instance: ForwardedInstance) {
	const {allow, methods} = instance
	const listed = methods?.map(method => hexOf(Buffer.from(method))).join(' ')
	return [
		...(isStopped(instance) ? ['http-request return status 503 hdr Retry-After 10'] : []),
		...(allow.length === 0 ? [] : [`http-request deny status 403 unless { src ${allow.join(' ')} }`]),
		...(methods === null
			? []
			: [
					`http-request return status 405 hdr Allow "${methods.filter(method => /^[\w-]+$/.test(method)).join(', ')}" unless { method,hex -m str ${listed} }`
				])
	]
}

function rate({limits: {ratePerSecond, burst}}: ForwardedInstance, report: Report) {
	if (ratePerSecond === 0) return []
	return [
		report.impossible(`a burst in the strict sense: what counts is the requests of ${window} s`),
		`stick-table type ipv6 size 100k expire ${window * 3}s store http_req_rate(${window}s)`,
		'http-request track-sc0 src',
		`http-request return status 429 hdr Retry-After 1 if { sc_http_req_rate(0) gt ${Math.max(1, Math.round(ratePerSecond * window + burst))} }`
	]
}

/** As in `nginx.ts`. */
function access({number, instance: {access: rule}}: Routed, input: ExportInput, report: Report) {
	switch (rule.kind) {
		case 'none':
			return []
		case 'basic':
			return [
				report.impossible('passwords as Cordon keeps them (scrypt): write the users anew in the userlist'),
				`http-request auth realm ${realm(rule.realm)} unless { http_auth(cordon_${number}) }`,
				'http-request set-header X-Console-User %[http_auth_user]'
			]
		case 'bearer': {
			const token = rule.header.toLowerCase() === 'authorization' ? 'http_auth_bearer' : `req.hdr(${rule.header})`
			const known = isFieldName(rule.header) ? rule.verifiers.map(hash => hash.toUpperCase()) : []
			const refusal = 'http-request return status 401 hdr WWW-Authenticate "Bearer realm=cordon"'
			return known.length === 0
				? [report.impossible('the header field of the token'), refusal]
				: [`${refusal} unless { ${token},sha2(256),hex -m str ${known.join(' ')} }`]
		}
		case 'hmac':
			return [report.impossible('signed bodies: everything is refused'), 'http-request return status 401']
		case 'certificate':
			return certificate(rule.names, input, report)
	}
}

function certificate(names: readonly string[], input: ExportInput, report: Report) {
	const allowed = names.map(name => hexOf(Buffer.from(name))).join(' ')
	return [
		...refusedFor(input, report, 'http-request deny status 403'),
		'http-request deny status 403 unless { ssl_c_used } { ssl_c_verify 0 }',
		...(names.length === 0 ? [] : [`http-request deny status 403 unless { ssl_c_s_dn(CN),hex -m str ${allowed} } !{ ssl_c_s_dn(CN,2) -m found }`])
	]
}

function isFieldName(name: string) {
	return /^[A-Za-z0-9-]+$/.test(name)
}

/** A word without quotes. */
function realm(text: string) {
	return text.replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'Cordon'
}

function limits({limits: own}: ForwardedInstance, report: Report) {
	return [
		...(own.body > 0
			? [
					`http-request deny status 413 if { req.hdr_val(content-length) gt ${own.body} }`,
					report.impossible('a limit on bodies that come in chunks')
				]
			: []),
		...(own.head < 65_536 ? [report.impossible('a limit for the heads of one instance')] : [])
	]
}

function webInterface({webInterface: isWeb}: ForwardedInstance) {
	if (!isWeb) return []
	const bare = '{ var(txn.cordon_rest) -m len 0 }'
	const navigates = 'METH_GET { req.hdr(sec-fetch-mode) -m str navigate } { req.hdr(accept) -m sub text/html }'
	return [
		`http-request return status 308 hdr Location "%[var(txn.cordon_prefix)]/?%[query]" if ${bare} ${navigates} { query -m found }`,
		`http-request return status 308 hdr Location "%[var(txn.cordon_prefix)]/" if ${bare} ${navigates}`
	]
}

function requestFields(instance: ForwardedInstance) {
	const {hostHeader, host, listenPort, stripAuthorization, forwarded, websocket} = instance
	const value = hostHeader === 'loopback' ? hostPort(host, listenPort) : hostHeader
	const known = hostHeader === 'preserve' || /^[\w.:[\]-]+$/.test(value)
	return [
		...(hostHeader === 'preserve' ? [] : known ? [`http-request set-header Host ${value}`] : ['# not possible here: this value of Host']),
		...(stripAuthorization && instance.access.kind !== 'none' ? ['http-request del-header authorization'] : []),
		...(forwarded
			? [
					`http-request set-header Forwarded 'for="%[var(txn.cordon_peer)]";proto=https;host="%[req.hdr(host)]"'`,
					String.raw`http-request replace-header Forwarded '^for="([^"]*:[^"]*)"(.*)$' 'for="[\1]"\2'`,
					"http-request replace-header Forwarded '^(.*)$' '%[var(txn.cordon_chain)], \\1' if { var(txn.cordon_chain) -m found }"
				]
			: []),
		...(websocket ? [] : ['http-request del-header upgrade'])
	]
}

function answer({rewriteLocation, scopeCookies, trailers, serveStaleS, singleFlight, host, listenPort}: ForwardedInstance, report: Report) {
	const direct = `http://${hostPort(host, listenPort)}`.replaceAll(/[.[\]]/g, String.raw`\$&`)
	return [
		...['keep-alive', ...ofTheHost].map(name => `http-response del-header ${name}`),
		...(rewriteLocation ? ['Location', 'Content-Location', 'Refresh'].flatMap(name => scoped(name, direct)) : []),
		...(scopeCookies
			? [
					String.raw`http-response replace-header Set-Cookie '(?i)^(.*); *domain=[^;]*(.*)$' '\1\2'`,
					String.raw`http-response replace-header Set-Cookie '(?i)^(.*; *path=)/([^;]*)(.*)$' '\1%[var(txn.cordon_prefix)]/\2\3'`,
					String.raw`http-response replace-header Set-Cookie '(?i)^(.*; *path=)(?-i)${twice}(?=[/;]|$)(.*)$' '\1\2\3'`,
					String.raw`http-response replace-header Set-Cookie '(?i)^((?!.*; *path=/).*)$' '\1; Path=%[var(txn.cordon_prefix)]/'`,
					String.raw`http-response replace-header Set-Cookie '(?i)^((?!.*; *secure *(;|$)).*)$' '\1; Secure'`
				]
			: []),
		...(trailers.length > 0 ? [report.impossible('trailer fields by name')] : []),
		...(serveStaleS > 0 || singleFlight ? [report.impossible('the last good answer and single flight')] : [])
	]
}

/** The prefix and once more: the instance had put it there (it uses `X-Forwarded-Prefix`). Behind one other group. */
const twice = String.raw`((?:/[^/?#;]+)?/instance/execute/[^/?#;]+)\2`
/** What stands before the address in `Refresh`. */
const delay = String.raw`\s*[0-9.]+\s*[;,]\s*(?:url\s*=\s*)?["\x27]?`

function scoped(name: string, direct: string) {
	const lead = name === 'Refresh' ? `((?i)${delay})` : '()'
	return [
		String.raw`'^${lead}(?:${direct}|(?!//))(/.*)$' '\1%[var(txn.cordon_prefix)]\2'`,
		String.raw`'^${lead}${twice}([/?#"\x27].*)?$' '\1\2\3'`
	].map(rule => `http-response replace-header ${name} ${rule}`)
}

function timeouts({timeouts: own}: ForwardedInstance, report: Report) {
	const {silence, notes} = waits(own, report)
	return [`timeout connect ${time(own.connectS)}`, `timeout server ${silence}`, `timeout tunnel ${time(own.idleS)}`, ...notes]
}

function serverLine({host, listenPort, limits: {concurrency, queue}}: ForwardedInstance, report: Report) {
	const limited = concurrency > 0 ? ` maxconn ${concurrency} maxqueue ${Math.max(1, queue)}` : ''
	const note = concurrency > 0 ? `${report.impossible('429 for what the queue does not take: HAProxy answers 503')}\n` : ''
	return `${note}server instance ${host.includes(':') ? `[${host}]` : host}:${listenPort}${limited}`
}
