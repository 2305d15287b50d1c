/** A forwarding server as a separate process (argument: its instances as JSON), until its input ends. Prints its port. */
import {once} from 'node:events'

import {startForwarder} from '../../server.ts'
import {configOf, type InstanceWish} from '../../testing/heads.ts'
import {testCredentials} from '../../tls/testing/credentials.ts'

// The parent passes exactly this.
const wishes = JSON.parse(process.argv[2] ?? '[]') as readonly InstanceWish[]
const credentials = await testCredentials()
const forwarder = await startForwarder({
	listen: {host: '127.0.0.1', port: 0},
	config: configOf(wishes),
	credentials,
	onTrouble: (message, error) => process.stderr.write(`${message} ${String(error)}\n`)
})
process.stdout.write(`${JSON.stringify({port: forwarder.listen.port, authority: credentials.authority})}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await forwarder.stop(1000)
