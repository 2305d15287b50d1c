import {random} from '#sandbox/tenant/random.ts'
import {startField} from '#sandbox/testing/running.ts'

import {killPlaybooks} from './testing/kill-loop.ts'

test.each([1, 2])('killed with SIGKILL, %i at a time, every computer is isolated once and every hash listed once', async together => {
	const dice = random('playbook kill', together)
	const field = await startField({computers: 100, seed: 'kill', agentDelayMs: 20})
	const end = await killPlaybooks(field, 5, together, () => dice.int(1000) / 1000)
	await field.sandbox.stop()
	expect(end).toMatchObject({states: ['completed'], wrong: []})
	expect(end.killed).toBeGreaterThanOrEqual(5)
})
