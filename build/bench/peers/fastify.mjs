/** @fastify/http-proxy in front of the bench's upstream: port, upstream port, sink port, certificate, key. */
import {readFileSync} from 'node:fs'

import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

const [port, upstream, sink, certificate, key] = process.argv.slice(2)
const server = fastify({https: {cert: readFileSync(certificate), key: readFileSync(key)}, bodyLimit: 2 ** 40})
for (const [name, to] of [
	['bench', upstream],
	['sink', sink]
]) {
	await server.register(proxy, {
		upstream: `http://127.0.0.1:${to}`,
		prefix: `/instance/execute/${name}`,
		undici: {connections: 256, pipelining: 1}
	})
}
await server.listen({port: Number(port), host: '127.0.0.1'})
