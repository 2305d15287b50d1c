import {randomBytes} from 'node:crypto'

import type {PageFile, PageFiles} from '#base/page-files.ts'

import {answerPage} from './scheme.ts'

// Without it, the package would fetch the runtime, which is not needed here.
vi.mock('electron', () => ({protocol: {}}))

const index: PageFile = {path: '/index.html', type: 'text/html', body: Buffer.from('<i nonce="__CSP_NONCE__">'), etag: '"a"'}
const script: PageFile = {path: '/assets/a.js', type: 'text/javascript', body: Buffer.from('void 0;'), etag: '"b"'}
const files: PageFiles = {
	readAll: () => {},
	index: index.body.toString(),
	find: path => ({'/': index, '/computers': index, '/assets/a.js': script})[path]
}

function ask(url: string, method = 'GET') {
	return answerPage({url, method}, files, randomBytes)
}

test('each screen is the page, with a nonce of its own in page and policy', () => {
	const answer = ask('cordon://app/computers')
	const nonce = /nonce="([^"]+)"/.exec(answer.data.toString())?.[1]
	const policy = answer.headers['Content-Security-Policy']
	expect(nonce).not.toBe('__CSP_NONCE__')
	expect(policy).toContain(`'nonce-${nonce}'`)
	expect(policy).not.toContain('unsafe')
})

test('files are answered as they are', () => {
	const {statusCode, headers, data} = ask('cordon://app/assets/a.js')
	expect([statusCode, headers['Content-Type'], data.toString()]).toEqual([200, 'text/javascript', 'void 0;'])
})

test('another host, another method and an unknown file are refused', () => {
	const answers = [ask('cordon://other/'), ask('cordon://app/', 'POST'), ask('cordon://app/assets/gone.js')]
	expect(answers.map(({statusCode}) => statusCode)).toEqual([403, 405, 404])
})

test('no answer asks for an agent cluster of its own, which would end the program, or for an opener policy, which costs a process', () => {
	const answers = [ask('cordon://app/'), ask('cordon://app/assets/a.js'), ask('cordon://other/'), ask('cordon://app/gone')]
	const names = answers.flatMap(({headers}) => Object.keys(headers))
	expect(names.filter(name => /^(origin-agent-cluster|cross-origin-opener-policy)$/i.test(name))).toEqual([])
})
