import {ownEnvironments, type Connection} from './connection.ts'
import {connectionsFileOf, readConnectionsFile} from './connections-file.ts'

const stored: Connection = {
	id: 'c1',
	name: 'ACME-EU',
	url: 'https://api.eu.amp.cisco.com',
	clientId: 'a1b2',
	insecure: false,
	colour: 'red',
	environment: 'production',
	readOnly: true,
	proxy: null,
	hasProxyLogin: false,
	ca: null,
	sandbox: false,
	createdAt: '2026-01-31T14:02:11Z'
}

test('what was written is read again, without the sandbox', () => {
	const all = Array.from({length: 201}, () => stored)
	const text = connectionsFileOf([...all, {...stored, id: 's', name: 'sandbox', environment: 'sandbox', sandbox: true}])
	const {id: _id, hasProxyLogin: _login, sandbox: _sandbox, createdAt: _createdAt, ...filed} = stored
	expect(readConnectionsFile(text)).toEqual({ok: true, connections: all.map(() => filed)})
})

test.each(ownEnvironments)('an environment stays what it is in a file: %s', environment => {
	const read = readConnectionsFile(connectionsFileOf([{...stored, environment}]))
	expect(read).toMatchObject({connections: [{environment}]})
})

test('a file with a key in it is refused', () => {
	const text = connectionsFileOf([stored]).replace('"clientId"', '"apiKey": "x", "clientId"')
	expect(readConnectionsFile(text)).toEqual({ok: false, problem: expect.stringContaining('apiKey')})
})

test.each(['', 'null', '[]', '{"format":"cordon-connections","version":2,"connections":[]}', '{"__proto__":1}'])(
	'what is no such file is refused: %s',
	text => {
		expect(readConnectionsFile(text)).toMatchObject({ok: false})
	}
)
