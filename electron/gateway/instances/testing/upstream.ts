import {createServer, type Server} from 'node:http'

import {onTestFinished} from 'vitest'

import {openPort} from '#base/testing/port.ts'

/** It is closed when the test and every `afterEach` are over. */
export function closedAfter(server: Server) {
	onTestFinished(() => void server.close())
	return server
}

/** An instance run outside Cordon, which answers `hello`. Returns its port. */
export function upstream() {
	return openPort(closedAfter(createServer((_, response) => response.end('hello'))))
}
