import {root} from './paths.mjs'
import {afterSecondTry, resultOf} from './unit-tests.mjs'

const passed = {status: 'passed', fullName: 'it holds', failureMessages: []}
const failed = {status: 'failed', fullName: 'it is in time', failureMessages: ['AssertionError: 41 is above 40\n at x']}

function report(assertionResults: readonly object[], message = '') {
	const name = `${root}electron/core/a.test.ts`
	const count = (status: string) => assertionResults.filter(result => 'status' in result && result.status === status).length
	return {
		numPassedTests: count('passed'),
		numFailedTests: count('failed'),
		testResults: [{name, message, status: count('failed') > 0 || message !== '' ? 'failed' : 'passed', assertionResults}]
	}
}

test('a failed test is reported with its file and reason', () => {
	const result = resultOf(report([passed, failed]), false)
	expect(result).toMatchObject({passed: 1, failed: 1, skipped: 0})
	expect(result.notes).toEqual(['electron/core/a.test.ts › it is in time\n    AssertionError: 41 is above 40\n     at x'])
})

test('a file that does not load is a failure without tests', () => {
	const result = resultOf(report([], 'SyntaxError: no'), false)
	expect(result.failed).toBe(1)
	expect(result.notes).toEqual(['electron/core/a.test.ts › the file itself\n    SyntaxError: no'])
})

test('no report at all is a failure', () => {
	expect(resultOf({}, false)).toMatchObject({passed: 0, failed: 1})
})

test('what passes alone counts as passed and is named', () => {
	const first = resultOf(report([passed, failed]), false)
	const again = resultOf(report([passed, {...failed, status: 'passed'}]), true)
	const result = afterSecondTry(first, again)
	expect(result).toMatchObject({passed: 2, failed: 0})
	expect(result.notes[0]).toMatch(/^needed a second try: electron\/core\/a\.test\.ts › it is in time/)
})

test('what fails twice has failed', () => {
	const first = resultOf(report([passed, failed]), false)
	const result = afterSecondTry(first, first)
	expect(result).toMatchObject({passed: 1, failed: 1})
	expect(result.notes).toHaveLength(2)
})
