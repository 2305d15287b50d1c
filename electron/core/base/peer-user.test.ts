import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'
import {peerUser} from './peer-user.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const line = '   3: 0100007F:9C40 0100007F:126D 01 00000000:00000000 00:00000000 00000000  1000        0 87654 1\n'
const tables =
	(tcp: string, tcp6 = head) =>
	(name: string) =>
		name === 'tcp' ? tcp : tcp6
const ports = {remoteAddress: '127.0.0.1', remotePort: 0x9c40, localAddress: '127.0.0.1', localPort: 0x126d}

test('the owner of the other end counts, not that of this one', () => {
	const reversed = '   2: 0100007F:126D 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 87653 1\n'
	const read = tables(`${head}${reversed}${line}`)
	expect(peerUser(ports, {own: 1000, read})).toBe('own')
	expect(peerUser(ports, {own: 0, read})).toBe('other')
})

test('another user may have the same ports at another address of loopback', () => {
	const theirs = line.replace('0100007F:9C40', '0200007F:9C40').replace('1000', ' 999')
	const read = tables(`${head}${line}${theirs}`)
	const users = ['127.0.0.1', '127.0.0.2'].map(remoteAddress => peerUser({...ports, remoteAddress}, {own: 1000, read}))
	expect(users).toEqual(['own', 'other'])
})

test('a socket of version 6 that speaks version 4 is found', () => {
	const mapped = line.replaceAll('0100007F', '0000000000000000FFFF00000100007F')
	expect(peerUser(ports, {own: 1000, read: tables(head, `${head}${mapped}`)})).toBe('own')
})

test('without tables the owner is unknown; with tables, an unlisted one is not trusted', () => {
	expect(peerUser(ports, {own: 1000, read: () => ''})).toBe('unknown')
	expect(peerUser(ports, {own: 1000, read: tables(head)})).toBe('other')
})

test.runIf(process.platform === 'linux')('a real connection of this process is its own', async () => {
	const server = createServer()
	const here = await openPort(server)
	const client = connect(here, '127.0.0.1')
	const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], unknown]
	expect(peerUser(socket)).toBe('own')
	client.destroy()
	server.close()
})
