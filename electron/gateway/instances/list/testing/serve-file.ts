/**
 * A process that serves a file as a list (arguments: file, type of list, folder) until its input ends. Prints JSON lines when the
 * list is built, and at the end its maximum memory beyond the initial.
 */
import {once} from 'node:events'

import {listServiceSchema} from '#model/instance.ts'

import {systemClock} from '#base/system.ts'
import {startListService} from '../service.ts'

const [path = '', type = '', folder = ''] = process.argv.slice(2)
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const before = process.memoryUsage.rss()
const began = performance.now()
const list = await startListService({
	definition: listServiceSchema.parse({service: 'list', type, sources: [{kind: 'file', path}]}),
	instance: {id: '1', name: 'file'},
	folder,
	host: '127.0.0.1',
	port: 0,
	clock: systemClock,
	fetchFileList: async function* () {},
	onTrouble: message => process.stderr.write(`${message}\n`)
})
const status = await list.refresh()
say({port: list.port, entries: status.entries, seconds: (performance.now() - began) / 1000})
process.stdin.resume()
await once(process.stdin, 'end')
await list.stop()
say({growth: process.resourceUsage().maxRSS * 1024 - before})
