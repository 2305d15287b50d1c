import {isInstalled} from './testing/programs.ts'
import {attackSlowly} from './testing/slow.ts'

const canAttack = process.platform === 'linux' && isInstalled('slowhttptest')
if (!canAttack) process.stderr.write('THE SLOW CLIENTS ARE SKIPPED: slowhttptest is not installed.\n')

/** The long form, in which the limits must close every connection, is `npm run bench -- slow`. */
test.runIf(canAttack)('many slow clients do not keep others out', async () => {
	const {reports, peak, leaked} = await attackSlowly({connections: 100, seconds: 5})
	expect(reports.map(({kind, available}) => [kind, available])).toEqual([
		['headers', true],
		['body', true],
		['read', true]
	])
	// The attackers' own count comes each five seconds, and not at all from one that was held up in the last of them.
	expect(peak).toBeGreaterThan(150)
	expect(leaked).toBe(0)
})
