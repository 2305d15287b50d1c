/** A process that carries out one change: profile, service and computer from its arguments, the API key from stdin. */
import {text} from 'node:stream/consumers'

import {openCliProfile} from '#core/app/testing/real-profile.ts'
import {systemClock} from '#base/system.ts'
import {createRunner} from '../runner.ts'

const [folder = '', url = '', clientId = '', guid = ''] = process.argv.slice(2)
const profile = openCliProfile(folder)
const {connections, log, locks, guards, escrow} = profile
const runner = createRunner({clock: systemClock, connections, log, locks, guards, escrow})
const apiKey = (await text(process.stdin)).trim()
const {id} = connections.addTransient({name: url, url, clientId, apiKey, insecure: false, colour: 'grey', environment: 'test', readOnly: false})
await runner.run({name: 'svc_put_computers_isolation', args: {connector_guid: guid, comment: 'Beaconing'}, connection: id, surface: 'cli'})
await profile.stop()
