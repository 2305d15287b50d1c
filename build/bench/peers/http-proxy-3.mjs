/** http-proxy-3 in front of the bench's upstream: port, upstream port, sink port, certificate, key. */
import {readFileSync} from 'node:fs'
import {Agent} from 'node:http'
import {createServer} from 'node:https'

import httpProxy from 'http-proxy-3'

const [port, upstream, sink, certificate, key] = process.argv.slice(2)
const agent = new Agent({keepAlive: true, maxSockets: 256})
const targets = new Map([
	['bench', upstream],
	['sink', sink]
])
const proxy = httpProxy.createProxyServer({agent})
proxy.on('error', (_error, _request, response) => response.destroy())
createServer({cert: readFileSync(certificate), key: readFileSync(key)}, (request, response) => {
	const [, name, rest] = /^\/instance\/execute\/([^/]+)(\/.*)$/.exec(request.url) ?? []
	request.url = rest ?? '/'
	proxy.web(request, response, {target: `http://127.0.0.1:${targets.get(name) ?? upstream}`})
}).listen(Number(port), '127.0.0.1')
