/** A console that starts one managed instance (arguments: profile, port and behaviour) and is killed by its test. */
import {systemClock} from '#base/system.ts'
import {testPorts} from '#base/testing/ports.ts'
import {startApp} from './app.ts'
import {testProgram} from './definitions.ts'

const [profile = '', port = '', behaviour] = process.argv.slice(2)
const ports = testPorts()
ports.remove()
const app = await startApp({...ports, profile, clock: systemClock})
const {store} = app.instances
if ((await app.instances.list()).rows.length === 0) {
	await store.save({definition: {name: 'one', listenPort: Number(port), program: testProgram(behaviour)}})
}
while (app.instances.row('one').health.state !== 'healthy') await systemClock.sleep(20)
process.once('SIGTERM', () => void app.stop().then(() => process.stdout.write('stopped\n')))
process.stdout.write('healthy\n')
