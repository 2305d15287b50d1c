/** The route's decisions as maps of nginx, which read the target as received. */
import {pseudonymOf} from '../headers/names.ts'
import {commentText, encodedPattern, literalPattern, spellings, usualPattern} from './quoting.ts'
import {indented, type Report} from './report.ts'
import {prefixPattern} from './routed.ts'
import type {ExportInput, Routed} from './types.ts'

/** nginx accepts no word of more than about 4,000 bytes. */
const longestPattern = 3500

export function nginxMaps({config}: ExportInput, routed: readonly Routed[], report: Report): readonly string[] {
	const us = pseudonymOf(config)
	return [
		'geo $cordon_dollar {\n    default "$";\n}',
		routeMap(routed, report),
		map('$request_uri', '$cordon_prefix', [[`~(?<cordon_found_prefix>${prefixPattern}[^/?]+)`, '$cordon_found_prefix']]),
		map('$request_uri', '$cordon_target', [
			[`~${prefixPattern}[^/?]+(?<cordon_found_path>/.*)$`, '$cordon_found_path'],
			[String.raw`~${prefixPattern}[^/?]+(?<cordon_found_query>\?.*)?$`, '/$cordon_found_query']
		]),
		map('$request_uri', '$cordon_bare', [[String.raw`~${prefixPattern}[^/?]+(?:\?|$)`, '1']], '0'),
		scoped,
		'# Stricter here: a segment ".." is refused wherever it leads.',
		map('$request_uri', '$cordon_climbs', [[climbing, '1']], '0'),
		hostMap(config.hostnames),
		map('$http_via', '$cordon_loop', [[`~*(?:^|,)\\s*\\S+\\s+${literalPattern(Buffer.from(us))}\\s*(?:,|$)`, '1']], '0'),
		map(
			'$server_protocol',
			'$cordon_version',
			[
				['HTTP/1.0', '1.0'],
				['HTTP/2.0', '2']
			],
			'1.1'
		),
		map('$http_via', '$cordon_via', [['""', `$cordon_version ${us}`]], `$http_via, $cordon_version ${us}`),
		map('$http_x_request_id', '$cordon_request_id', [['~^[A-Za-z0-9._-]{1,128}$', '$http_x_request_id']], '$request_id'),
		map('$http_upgrade', '$cordon_upgrade', [['~*^websocket$', 'websocket']]),
		map('$cordon_upgrade', '$cordon_connection', [['websocket', 'upgrade']]),
		map('"$request_method:$http_sec_fetch_mode:$http_accept"', '$cordon_navigates', [['"~^GET:navigate:.*text/html"', '1']], '0'),
		...originMaps(routed),
		...forwarded(config.trustedProxies),
		map('$remote_addr', '$cordon_address', [[String.raw`~^(?:127\.|::1$)`, '""']], '$binary_remote_addr'),
		'limit_conn_zone $cordon_address zone=cordon_addresses:10m;',
		...routed.flatMap(zones),
		''
	]
}

/** A path in an answer, with the prefix unless the instance put it there (it uses `X-Forwarded-Prefix`). An answer has several. */
const scoped = String.raw`map "$cordon_prefix $cordon_said" $cordon_scoped {
    volatile;
    default "$cordon_prefix$cordon_said";
    "~^(\S+) \1(?:[/?#]|$)" "$cordon_said";
}`

/** A character by its code in hex, percent-encoded once or twice; the second time maybe digit by digit. */
const encoded = (high: number, low: string) => `%(?:25)?(?:${high}|%3${high})(?:[${low}${low.toUpperCase()}]|%[46]${low.charCodeAt(0) % 16})`
const slash = String.raw`[/\x5C]|${encoded(2, 'f')}|${encoded(5, 'c')}`
/** Each character as it is or encoded; a backslash counts as a slash. */
const climbing = String.raw`~^[^?]*(?:${slash})(?:\.|${encoded(2, 'e')}){2}(?:${slash}|[;?#]|${encoded(3, 'b')}|$)`

function routeMap(routed: readonly Routed[], report: Report) {
	const lines = routed.flatMap(({number, names}) =>
		names.flatMap(name => [
			`    # ${commentText(name)}`,
			...spellings(name).flatMap(bytes => {
				const whole = `~${prefixPattern}${encodedPattern(bytes)}(?:[/?]|$)`
				if (whole.length <= longestPattern) return [`    "${whole}" ${route(number)};`]
				const usual = `~${prefixPattern}${usualPattern(bytes)}(?:[/?]|$)`
				const note = report.impossible('every percent-encoding of a very long name; the usual one works')
				return usual.length <= longestPattern
					? [`    ${note}`, `    "${usual}" ${route(number)};`]
					: [`    ${report.impossible('a name of this length')}`]
			})
		])
	)
	return `map $request_uri $cordon_route {\n    default "";\n${lines.join('\n')}\n}`
}

export function route(number: number) {
	return `/cordon/${number}`
}

function map(from: string, to: string, entries: readonly (readonly [string, string])[], otherwise = '""') {
	const lines = entries.map(([key, value]) => `${quoted(key)} ${quoted(value)};`)
	return `map ${from} ${to} {\n${indented([`default ${quoted(otherwise)};`, ...lines])}\n}`
}

function quoted(text: string) {
	return text.startsWith('"') ? text : `"${text}"`
}

/** Names of this server; a plain address cannot be another's name, so all addresses pass. Not `$host`: it may be another than is passed on. */
function hostMap(hostnames: readonly string[]) {
	const names = ['localhost', ...hostnames].map(name => literalPattern(Buffer.from(name)))
	const own = [...names, String.raw`\d+\.\d+\.\d+\.\d+`, String.raw`\[[^\]]*\]`]
	return map(
		'$http_host',
		'$cordon_host',
		own.map(host => [String.raw`~*^${host}\.?(?::\d*)?$`, '1'] as const),
		'0'
	)
}

/** Cross-site pages, decided as in `../policy.ts`. */
function originMaps(routed: readonly Routed[]) {
	const pages = routed.filter(({instance}) => instance.webInterface).map(({number}) => [route(number), '1'] as const)
	const listed = routed.flatMap(({number, instance}) => instance.origins.map(origin => [listedPattern(number, origin), '1'] as const))
	const navigates = '~^(?:GET|HEAD):navigate:document:'
	return [
		map('$http_origin', '$cordon_has_origin', [['""', '0']], '1'),
		map('"$http_origin $http_host"', '$cordon_own_origin', [[String.raw`~*^https://(\S+?)(?::443)? \1(?::443)?$`, '1']], '0'),
		map('"$cordon_route $http_origin"', '$cordon_listed', listed, '0'),
		map('$cordon_route', '$cordon_page', pages, '0'),
		map(
			'"$request_method:$http_sec_fetch_mode:$http_sec_fetch_dest:$http_sec_fetch_user$cordon_page"',
			'$cordon_navigation',
			[
				[String.raw`${navigates}\?1`, '1'],
				[`${navigates}.*1$`, '1']
			],
			'0'
		),
		map(
			'"$http_sec_fetch_site:$cordon_has_origin$cordon_own_origin$cordon_listed$cordon_navigation"',
			'$cordon_cross_site',
			[
				['~^:0', '0'],
				['~:..1.$', '0'],
				['~^none:', '0'],
				['~^same-origin:0', '0'],
				['~^(?:same-origin)?:11', '0'],
				['~^(?:same-origin)?:1', '1'],
				['~1$', '0']
			],
			'1'
		)
	]
}

function listedPattern(number: number, origin: string) {
	if (origin === '*') return String.raw`~^${route(number)} \S`
	return `~*^${route(number)} ${literalPattern(Buffer.from(origin.replace(/\/$/, '')))}$`
}

/** A trusted proxy's values about the client stay, and its chains are continued; any other is replaced. */
function forwarded(trusted: readonly string[]) {
	// The name of the peer needs a module that only trusted proxies need.
	const peer = trusted.length === 0 ? '$remote_addr' : '$realip_remote_addr'
	const from = (field: string, otherwise: string, told = `$http_${field}`) =>
		map(`"$cordon_trusted$http_${field}"`, `$cordon_${field}`, [['~^1.', told]], otherwise)
	return [
		`geo ${peer} $cordon_trusted {\n${indented(['default 0;', ...trusted.map(network => `${network} 1;`)])}\n}`,
		map(peer, '$cordon_node', [['~:', `"[${peer}]"`]], peer),
		from('x_forwarded_for', peer, `$http_x_forwarded_for, ${peer}`),
		from('x_forwarded_proto', '$scheme'),
		from('x_forwarded_host', '$http_host'),
		from('x_forwarded_port', '$server_port'),
		from('forwarded', '""', '$http_forwarded, ')
	]
}

function zones({number, instance: {limits}}: Routed) {
	const perMinute = Math.max(1, Math.round(limits.ratePerSecond * 60))
	const rate = Number.isInteger(limits.ratePerSecond) ? `${limits.ratePerSecond}r/s` : `${perMinute}r/m`
	return [
		...(limits.ratePerSecond > 0 ? [`limit_req_zone $binary_remote_addr zone=cordon_rate_${number}:10m rate=${rate};`] : []),
		...(limits.concurrency > 0 ? [`limit_conn_zone $cordon_route zone=cordon_running_${number}:1m;`] : [])
	]
}
