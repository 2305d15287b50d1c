// A managed instance for tests. `PORT` and `HOST` give its address; the first argument selects its behaviour.
import {spawn} from 'node:child_process'
import {createServer} from 'node:http'

const [behaviour = 'plain'] = process.argv.slice(2)
const {PORT, HOST} = process.env

if (behaviour === 'fails') {
	process.stderr.write('no luck today\n')
	process.exit(3)
}
if (behaviour === 'stubborn') process.on('SIGTERM', () => process.stdout.write('not yet\n'))
if (behaviour === 'parent') {
	spawn(process.execPath, [process.argv[1], 'plain'], {stdio: 'inherit'})
} else {
	const status = behaviour === 'sick' ? 503 : 200
	const held = []
	createServer((request, response) => {
		if (request.url === '/exit') process.exit(7)
		if (request.url === '/print') process.stdout.write('printed\n')
		if (request.url === '/hold') {
			process.stdout.write('held\n')
			return void held.push(response)
		}
		if (request.url === '/let') for (const each of held) each.end('let')
		response.writeHead(status).end(JSON.stringify({pid: process.pid, environment: process.env, url: request.url}))
	}).listen(Number(PORT), HOST, () => process.stdout.write(`listening on ${HOST}:${PORT}\n`))
}
