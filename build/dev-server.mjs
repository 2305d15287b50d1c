/** The development server; runs in Node 24, started by `dev.mjs`. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'

import {createServer} from 'vite'

import {at} from './lib/paths.mjs'
import {say} from './lib/say.mjs'

const port = 5317
const origin = `http://127.0.0.1:${port}`
const settleMs = 150

/** The running console's address, and the cookie that it knows us by. */
let host = {origin: '', cookie: ''}
let child

async function startHost() {
	const hostPort = host.origin === '' ? '0' : new URL(host.origin).port
	const args = [at('electron', 'headless.ts'), '--headless', '--no-open', '--json', '--port', hostPort, ...process.argv.slice(2)]
	const env = {...process.env, CORDON_PAGE: at('dist', 'page')}
	child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env})
	const [line] = await once(createInterface({input: child.stdout}), 'line')
	const entry = new URL(JSON.parse(line).url)
	const answer = await fetch(entry, {redirect: 'manual'})
	host = {origin: entry.origin, cookie: answer.headers.get('set-cookie').split(';', 1)[0]}
	say(`The console runs at ${entry.origin}; the page is at ${origin}/`)
}

async function restartHost() {
	const ended = once(child, 'exit')
	child.kill('SIGTERM')
	await ended
	await startHost()
}

/** The wire reaches the console under its own name and with our cookie, so only our own page may open it. */
function proxy() {
	return {
		'/wire': {
			target: host.origin,
			ws: true,
			configure(server) {
				server.on('proxyReqWs', (request, incoming, socket) => {
					if (incoming.headers.origin !== origin) return void socket.destroy()
					request.setHeader('host', new URL(host.origin).host)
					request.setHeader('origin', host.origin)
					request.setHeader('cookie', host.cookie)
				})
			}
		}
	}
}

await startHost()
const server = await createServer({
	configFile: at('vite.config.ts'),
	mode: 'page',
	server: {host: '127.0.0.1', port, strictPort: true, proxy: proxy(), watch: {ignored: ['**/dist/**', '**/.cache/**', '**/.tsbuild/**']}}
})
await server.listen()
server.watcher.add([at('electron'), at('shared')])
let timer
server.watcher.on('change', file => {
	if (!/[/\\](electron|shared)[/\\].*\.ts$/.test(file) || file.endsWith('.test.ts')) return
	clearTimeout(timer)
	timer = setTimeout(() => restartHost().catch(error => say(error.message)), settleMs)
})

async function stop() {
	await server.close()
	child.kill('SIGTERM')
	process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(signal, stop)
