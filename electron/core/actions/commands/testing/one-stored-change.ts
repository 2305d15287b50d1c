/**
 * A process that isolates one computer over the stored sandbox connection: profile and computer from its arguments, the API
 * key from stdin. Prints the outcome.
 */
import {text} from 'node:stream/consumers'

import {reportError} from '#contract/errors.ts'

import {memorySecrets} from '#base/testing/ports.ts'
import {openCliProfile} from '#core/app/testing/real-profile.ts'
import {systemClock} from '#base/system.ts'
import {createRunner} from '../runner.ts'

const [folder = '', guid = ''] = process.argv.slice(2)
const secrets = memorySecrets()
await secrets.write('connection/sandbox/api-key', (await text(process.stdin)).trim())
const profile = openCliProfile(folder, secrets)
const {connections, log, locks, guards, escrow} = profile
const runner = createRunner({clock: systemClock, connections, log, locks, guards, escrow})
const request = {name: 'svc_put_computers_isolation', args: {connector_guid: guid, comment: 'Beaconing'}}
const told = await runner.run({...request, connection: 'sandbox', surface: 'cli'}).catch(reportError)
process.stdout.write(JSON.stringify(told))
await profile.stop()
