/** Routes of Fastify that answer nothing, one computer, and a page of them: port, file of the computer, file of the page. */
import {readFileSync} from 'node:fs'

import fastify from 'fastify'

const [port, ...files] = process.argv.slice(2)
const [one, page, same] = files.map(file => readFileSync(file))
const server = fastify()
server.get('/empty', async () => ({}))
for (const [path, bytes] of Object.entries({'/one': one, '/page': page, '/same': same}))
	server.get(path, (_request, reply) => reply.type('application/json').send(bytes))
await server.listen({port: Number(port), host: '127.0.0.1'})
