/** For nginx 1.19.3 or later, as one file of its `http` context, such as /etc/nginx/conf.d/cordon.conf. */
import {ofTheHost} from '../headers/names.ts'
import type {ForwardedInstance} from '../types.ts'
import {exported} from './exported.ts'
import {nginxMaps, route} from './nginx-maps.ts'
import {commentText, literalPattern, plainPath} from './quoting.ts'
import {indented, time, waits, type Report} from './report.ts'
import {hostPort, isStopped, listenHosts, refusedFor} from './routed.ts'
import type {Exported, ExportInput, Routed} from './types.ts'

export function nginxConfig(input: ExportInput): Exported {
	return exported(input, (routed, asksClients, report) => [
		'# The forwarding server of Cordon for nginx. Include it in the context http, for example as conf.d/cordon.conf.',
		'# What is not listed here answers 404, as it does in Cordon.',
		'',
		...nginxMaps(input, routed, report),
		...routed.map(upstream),
		server(input, routed, asksClients, report),
		''
	])
}

function upstream({number, instance: {host, listenPort}}: Routed) {
	return `upstream cordon_${number} {
    server ${hostPort(host, listenPort)} max_fails=0;
    keepalive 64;
}
`
}

function server(input: ExportInput, routed: readonly Routed[], asksClients: boolean, report: Report) {
	const {listen, config, certificate, folder} = input
	const {limits} = config
	const head = [
		...listenHosts(input).map(host => `listen ${hostPort(host, listen.port)} ssl http2;`),
		'server_name _;',
		`ssl_certificate ${plainPath(certificate.certificateFile)};`,
		`ssl_certificate_key ${plainPath(certificate.keyFile)};`,
		'ssl_protocols TLSv1.2 TLSv1.3;',
		'ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;',
		'ssl_session_tickets off;',
		...(asksClients
			? [`ssl_client_certificate ${plainPath(`${folder}/cordon-client-authorities.pem`)};`, 'ssl_verify_client optional;', 'ssl_verify_depth 8;']
			: []),
		'server_tokens off;',
		'merge_slashes off;',
		'absolute_redirect off;',
		'underscores_in_headers off;',
		report.impossible('400 for a header field whose name holds _: nginx leaves it out'),
		report.impossible('removing the fields that Connection names, refusing line ends of LF alone, and trailers'),
		report.impossible('removing every X-Forwarded-*, X-Console-* and X-Client-Cert* of a client, but for those set here'),
		report.impossible('errors as application/problem+json with Proxy-Status; the statuses are the same'),
		report.impossible('methods with characters other than A-Z, _ and -: nginx answers 400'),
		report.impossible('early hints (103): nginx before 1.29 does not forward them'),
		'client_max_body_size 0;',
		`client_header_timeout ${limits.headMs}ms;`,
		`keepalive_timeout ${limits.keepAliveMs}ms;`,
		`keepalive_requests ${limits.requestsPerConnection};`,
		`large_client_header_buffers 4 ${Math.min(limits.headBytes, limits.targetBytes)};`,
		`http2_max_concurrent_streams ${limits.streams};`,
		perAddress(input),
		'limit_conn_status 429;',
		'limit_req_status 429;',
		report.impossible('a limit on all connections together; set worker_connections'),
		...config.trustedProxies.map(network => `set_real_ip_from ${network};`),
		...(config.trustedProxies.length > 0 ? ['real_ip_header X-Forwarded-For;', 'real_ip_recursive on;'] : []),
		requestId,
		'set $cordon_said "";'
	]
	return `server {
${indented(head)}

${indented(decisions(input))}

${routed.map(one => nginxLocation(one, input, report)).join('\n')}
}`
}

/** Both are lost in a block that has one of its own: there they stand again. */
const requestId = 'add_header X-Request-Id $cordon_request_id always;'
const perAddress = ({config}: ExportInput) => `limit_conn cordon_addresses ${config.limits.connectionsPerAddress};`

/** Order of the checks as in the route description, 6.3. */
function decisions({config}: ExportInput) {
	return [
		'location = /instance/version {',
		'    if ($cordon_host = 0) { return 400; }',
		'    default_type application/json;',
		`    return 200 '{"version":"${config.platformVersion.replaceAll(/[^\d.]/g, '')}"}';`,
		'}',
		'',
		'location / {',
		'    if ($cordon_host = 0) { return 400; }',
		'    if ($cordon_loop) { return 508; }',
		'    if ($cordon_route = "") { return 404; }',
		'    if ($cordon_climbs) { return 400; }',
		'    if ($cordon_cross_site) { return 403; }',
		'    rewrite ^ $cordon_route last;',
		'}'
	]
}

/** One instance as an internal location of nginx. */
function nginxLocation(one: Routed, input: ExportInput, report: Report) {
	const {number, instance} = one
	const lines = [
		'internal;',
		requestId,
		...refusals(instance, report),
		...webInterface(instance),
		...allowList(instance),
		...access(one, input, report),
		...limits(one, input, report),
		...timeouts(instance, report),
		...requestFields(instance),
		...answer(instance, report),
		`proxy_pass http://cordon_${number}$cordon_target;`
	]
	return `    # ${commentText(instance.name)}\n    location = ${route(number)} {\n${indented(lines, '        ')}\n    }\n`
}

function refusals(instance: ForwardedInstance, report: Report) {
	const {methods} = instance
	const fitting = methods?.filter(method => /^[A-Z_-]+$/.test(method)) ?? []
	const other = methods !== null && fitting.length < methods.length
	const allowed = fitting.map(method => literalPattern(Buffer.from(method))).join('|')
	return [
		...(isStopped(instance) ? ['add_header Retry-After 10 always;', 'return 503;'] : []),
		...(other ? [report.impossible('some of the allowed methods')] : []),
		...(methods === null
			? []
			: [
					`if ($request_method !~ "^(?:${allowed})$") {`,
					`    add_header Allow "${fitting.join(', ')}" always;`,
					`    ${requestId}`,
					'    return 405;',
					'}'
				])
	]
}

function webInterface({webInterface: isWeb}: ForwardedInstance) {
	if (!isWeb) return []
	return ['set $cordon_to_folder "$cordon_navigates$cordon_bare";', 'if ($cordon_to_folder = "11") { return 308 $cordon_prefix/$is_args$args; }']
}

function allowList({allow}: ForwardedInstance) {
	return allow.length === 0 ? [] : [...allow.map(network => `allow ${network};`), 'deny all;']
}

/** A rule that cannot be checked here lets nobody in. */
function access({number, instance: {access: rule}}: Routed, input: ExportInput, report: Report) {
	switch (rule.kind) {
		case 'none':
			return []
		case 'basic':
			return [
				report.impossible('passwords as Cordon keeps them (scrypt): write the users anew with htpasswd, into the file named here'),
				`# Users: ${rule.users.map(({name}) => commentText(name)).join(', ')}`,
				`auth_basic ${textValue(rule.realm)};`,
				`auth_basic_user_file ${input.folder}/cordon-${number}.htpasswd;`
			]
		case 'bearer':
			return [
				report.impossible(
					'bearer tokens of which only the SHA-256 is known: everything is refused; Cordon or an auth_request service can check them'
				),
				'add_header WWW-Authenticate "Bearer realm=\\"Cordon\\"" always;',
				'return 401;'
			]
		case 'hmac':
			return [report.impossible('signed bodies: everything is refused'), 'return 401;']
		case 'certificate':
			return certificate(rule.names, input, report)
	}
}

function certificate(names: readonly string[], input: ExportInput, report: Report) {
	const allowed = names.map(name => literalPattern(Buffer.from(name))).join('|')
	// A part of a name (RFC 4514) that is no common name: a comma in its value is escaped.
	const other = String.raw`(?!CN=)(?:[^,+\x5C]|\x5C.)*`
	return [
		...refusedFor(input, report, 'return 403;'),
		'if ($ssl_client_verify != SUCCESS) { return 403; }',
		...(names.length === 0 ? [] : [`if ($ssl_client_s_dn !~ "^(?:${other}[,+])*CN=(?:${allowed})(?:[,+]${other})*$") { return 403; }`])
	]
}

function limits({number, instance: {limits: own}}: Routed, input: ExportInput, report: Report) {
	return [
		`client_max_body_size ${own.body};`,
		...(own.head < 65_536 ? [report.impossible(`a limit of ${own.head} bytes for the heads of one instance`)] : []),
		...(own.ratePerSecond > 0 ? [`limit_req zone=cordon_rate_${number} burst=${own.burst} nodelay;`] : []),
		...(own.concurrency > 0
			? [
					`limit_conn cordon_running_${number} ${own.concurrency};`,
					perAddress(input),
					report.impossible('a queue in front of the limit on concurrency: what is above it gets 429 at once')
				]
			: [])
	]
}

function timeouts({timeouts: own}: ForwardedInstance, report: Report) {
	const {silence, notes} = waits(own, report)
	return [
		`proxy_connect_timeout ${time(Math.min(own.connectS === 0 ? 75 : own.connectS, 75))};`,
		`proxy_read_timeout ${silence};`,
		`proxy_send_timeout ${time(own.idleS)};`,
		`client_body_timeout ${time(own.idleS)};`,
		...notes
	]
}

function requestFields(instance: ForwardedInstance) {
	const stripped = instance.stripAuthorization && instance.access.kind !== 'none'
	const fields: readonly (readonly [string, string])[] = [
		['Host', hostField(instance)],
		['X-Request-URI', '$request_uri'],
		...['For', 'Proto', 'Host', 'Port'].map(name => [`X-Forwarded-${name}`, `$cordon_x_forwarded_${name.toLowerCase()}`] as const),
		['X-Forwarded-Prefix', '$cordon_prefix'],
		['X-Real-IP', '$remote_addr'],
		['Forwarded', instance.forwarded ? '${cordon_forwarded}for=\\"$cordon_node\\";proto=https;host=\\"$http_host\\"' : ''],
		['Via', '$cordon_via'],
		['X-Request-Id', '$cordon_request_id'],
		['X-Console-User', instance.access.kind === 'basic' ? '$remote_user' : ''],
		['X-Client-Cert-Subject', ''],
		['X-Client-Cert-SHA256', ''],
		['X-Client-Cert-Serial', ''],
		...(stripped ? [['Authorization', ''] as const] : []),
		...['User', 'Groups', 'Email', 'Preferred-Username'].map(name => [`X-Forwarded-${name}`, ''] as const),
		...['Proxy-Authorization', 'Proxy-Connection', 'Keep-Alive', 'TE', 'Trailer', 'HTTP2-Settings', 'Expect'].map(name => [name, ''] as const),
		['Upgrade', instance.websocket ? '$cordon_upgrade' : ''],
		['Connection', instance.websocket ? '$cordon_connection' : '']
	]
	return ['proxy_http_version 1.1;', ...fields.map(([name, value]) => `proxy_set_header ${name} "${value}";`)]
}

function hostField({hostHeader, host, listenPort}: ForwardedInstance) {
	if (hostHeader === 'preserve') return '$http_host'
	return hostHeader === 'loopback' ? hostPort(host, listenPort) : inner(hostHeader)
}

function answer(instance: ForwardedInstance, report: Report) {
	const direct = literalPattern(Buffer.from(`http://${hostPort(instance.host, instance.listenPort)}`))
	return [
		// Unbuffered: events, and files of any size.
		'proxy_buffering off;',
		'proxy_request_buffering off;',
		'proxy_pass_header Server;',
		'proxy_pass_header Date;',
		// Instances must not control this server.
		'proxy_ignore_headers X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;',
		...[...ofTheHost, 'x-request-id'].map(name => `proxy_hide_header ${name};`),
		...(instance.rewriteLocation
			? [`proxy_redirect "~^(?:${direct}|(?!//))(?<cordon_said>/.*)$" $cordon_scoped;`, report.impossible('Content-Location')]
			: ['proxy_redirect off;']),
		...(instance.scopeCookies
			? [
					'proxy_cookie_path "~^(?<cordon_said>/.*)$" $cordon_scoped;',
					'proxy_cookie_flags ~ secure;',
					report.impossible('removing the Domain of cookies, and a Path for those without one')
				]
			: []),
		...(instance.trailers.length > 0 ? [report.impossible('trailer fields')] : []),
		...(instance.serveStaleS > 0 || instance.singleFlight
			? [
					report.impossible(
						'the last good answer and single flight as Cordon does them: proxy_cache with proxy_cache_use_stale and proxy_cache_lock is close, but keeps whole answers before it passes them on'
					)
				]
			: [])
	]
}

/** A word in double quotes; `$` needs a variable of its own, because nginx has no other way to write it. */
function textValue(text: string) {
	return `"${inner(text)}"`
}

function inner(text: string) {
	const plain = text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
	return plain.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('$', '${cordon_dollar}')
}
