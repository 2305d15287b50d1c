/** `npm run bench -- fuzz`: the long form of the fuzzing in `npm test`, with nginx as a second opinion where installed. */
import {spawnSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {fuzzAnswers, fuzzRequests, startNodeOpinion, type Fuzzed, type SecondOpinion} from '#gateway/forwarder/corpus/testing/fuzz.ts'
import {startRunning, type Running} from '#gateway/forwarder/testing/running.ts'

import {freePort, nginxTemporary, nginxUser, startProgram} from './forward/lab.ts'
import {endProgram} from './processes.ts'
import {benchFolder} from './folder.ts'
import {markdown} from './measure.ts'

const minutes = 3

interface Line {
	status: number
	request: string
}

function linesOf(text: string) {
	return text
		.split('\n')
		.filter(line => line !== '')
		.map(line => ({status: Number(line.slice(0, 3)), request: line.slice(4)}))
}

/** nginx refuses methods in lower case, invalid escapes and NUL, which is no finding. */
function isItsWay({request}: Line) {
	const [method = '', target = ''] = request.split(' ')
	return !/^[A-Z_-]+$/.test(method) || /%(?![0-9a-fA-F]{2})|%00/.test(target.split('?', 1)[0] ?? '')
}

/** This nginx answers every request; its log tells what it understood. */
async function startNginxOpinion(): Promise<SecondOpinion> {
	const folder = benchFolder()
	const port = await freePort()
	const log = join(folder, 'access.log')
	const configuration = `${nginxUser()} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr emerg;
events {}
http { log_format told escape=none '$status $request'; access_log ${log} told; ${nginxTemporary(folder)}
  large_client_header_buffers 8 128k; ignore_invalid_headers off; client_max_body_size 0;
  server { listen 127.0.0.1:${port}; location / { return 200 ok; } } }
`
	const file = join(folder, 'nginx.conf')
	writeFileSync(file, configuration)
	const child = await startProgram('nginx', ['-e', 'stderr', '-c', file], port)
	let read = readFileSync(log, 'latin1').length
	let fresh: readonly Line[] = []
	return {
		port,
		settleMs: 20,
		take: () => {
			const text = readFileSync(log, 'latin1')
			fresh = linesOf(text.slice(read))
			read = text.length
			return fresh.filter(({status}) => status === 200).map(({request}) => request.replace(/ HTTP\/1\.1$/, ''))
		},
		complaints: () => {
			const told = fresh.filter(line => line.status === 400 && !isItsWay(line)).map(({request}) => request)
			fresh = []
			return told
		},
		stop: () => endProgram(child)
	}
}

type Fuzz = (running: Running, ms: number, seed: number) => Promise<Fuzzed>

function withOpinion(start: () => Promise<SecondOpinion>): Fuzz {
	return async (running, ms, seed) => {
		const opinion = await start()
		try {
			return await fuzzRequests(running, opinion, ms, seed)
		} finally {
			await opinion.stop()
		}
	}
}

/** Rejects at the first problem, with its seed and bytes. */
export async function benchFuzz() {
	const rows: (readonly unknown[])[] = []
	const hasNginx = spawnSync('nginx', ['-v']).error === undefined
	const all: readonly (readonly [string, Fuzz])[] = [
		['requests, read again by Node', withOpinion(startNodeOpinion)],
		...(hasNginx ? [['requests, read again by nginx', withOpinion(startNginxOpinion)] as const] : []),
		['answers of instances', fuzzAnswers]
	]
	for (const [name, fuzz] of all) {
		const running = await startRunning()
		try {
			const {rounds, passed, problem} = await fuzz(running, minutes * 60_000, Date.now())
			if (problem !== null) throw new Error(`${name}: ${problem}`)
			rows.push([name, rounds, passed, 'none'])
		} finally {
			await running.stop()
		}
	}
	return markdown('what | rounds | passed on | problems', rows)
}
