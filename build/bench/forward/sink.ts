/** An instance that reads uploads to the end and answers with their length. */
import {createServer} from 'node:http'

createServer((request, response) => {
	let length = 0
	request.on('data', (chunk: Buffer) => (length += chunk.length))
	request.on('end', () => response.end(String(length)))
}).listen(Number(process.argv[2]), '127.0.0.1')
