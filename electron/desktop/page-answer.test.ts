import {randomBytes} from 'node:crypto'

import type {PageFile, PageFiles} from '#core/base/page-files.ts'

import {answerPage} from './scheme.ts'

const index: PageFile = {path: '/index.html', type: 'text/html', body: Buffer.from('<i nonce="__CSP_NONCE__">'), etag: '"a"'}
const script: PageFile = {path: '/assets/a.js', type: 'text/javascript', body: Buffer.from('void 0;'), etag: '"b"'}
const files: PageFiles = {
	named: [],
	readAll: () => undefined,
	index: index.body.toString(),
	find: path => ({'/': index, '/computers': index, '/assets/a.js': script})[path],
}

function ask(url: string, method = 'GET'): Response {
	return answerPage({url, method}, files, bytes => randomBytes(bytes))
}

test('each screen is the page, with a nonce of its own in page and policy', async () => {
	const answer = ask('cordon://app/computers')
	const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1]
	expect(nonce).not.toBe('__CSP_NONCE__')
	expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
	expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
})

test('files are answered as they are', async () => {
	const answer = ask('cordon://app/assets/a.js')
	expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/javascript', 'void 0;'])
})

test('another host, another method and an unknown file are refused', () => {
	expect([ask('cordon://other/').status, ask('cordon://app/', 'POST').status, ask('cordon://app/assets/gone.js').status]).toEqual(
		[403, 405, 404],
	)
})

test('no answer asks for an agent cluster of its own: Electron ends the program for it', () => {
	const answers = [ask('cordon://app/'), ask('cordon://app/assets/a.js'), ask('cordon://other/'), ask('cordon://app/gone')]
	expect(answers.filter(({headers}) => headers.has('origin-agent-cluster'))).toEqual([])
})
