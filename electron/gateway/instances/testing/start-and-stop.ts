/**
 * A process that starts the application on a service (folder, URL and client ID as arguments, key on stdin), stops it, and must
 * then exit.
 */
import {text} from 'node:stream/consumers'

import {createApp} from '#core/app/app.ts'
import {gateway} from '../gateway.ts'
import {systemClock} from '#base/system.ts'
import {testPorts} from '#base/testing/ports.ts'
import {firstListing} from './app.ts'

const [folder = '', url = '', clientId = ''] = process.argv.slice(2)
const apiKey = (await text(process.stdin)).trim()
const ports = testPorts()
const app = await createApp({...ports, profile: folder, clock: systemClock}, {version: '0.0.0', gateway, sandbox: {url, clientId, apiKey}})
ports.remove()
const events = app.live.subscribe()
await events.next()
await firstListing(app)
await app.runner.run({name: 'svc_get_version', args: {}, connection: 'sandbox', surface: 'screen'})
await app.stop()
process.stdout.write('stopped')
