/** Documents that nobody wrote: each is read or refused, and gets a verdict that agrees with its issues. */
import fc from 'fast-check'
import {expect, test} from 'vitest'

import {CordonError} from '#shared/contract/errors.ts'

import {library} from './library.ts'
import {checkPlaybook, readPlaybook} from './validate.ts'

const documents = library().map(one => JSON.stringify(one))

async function isJudged(text: string): Promise<void> {
	let document: Readonly<Record<string, unknown>>
	try {
		document = readPlaybook(text)
	} catch (error) {
		expect(error).toBeInstanceOf(CordonError)
		return
	}
	const {valid, runnable, issues} = await checkPlaybook(document)
	expect(valid).toBe(issues.every(({level}) => level !== 'error'))
	expect(runnable && issues.some(({level}) => level === 'refused')).toBe(false)
	for (const {message, fix} of issues) expect([message, fix].every(one => one !== '')).toBe(true)
}

/** Replaces, removes or doubles what stands at one place of a document of the library. */
const changed = fc
	.record({text: fc.constantFrom(...documents), at: fc.nat(), by: fc.option(fc.jsonValue()), from: fc.nat()})
	.map(({text, at, by, from}) => {
		const document: unknown = JSON.parse(text)
		const places = placesIn(document)
		const [holder, key] = places[at % places.length] ?? [{}, '']
		const [other, name] = places[from % places.length] ?? [{}, '']
		if (by === null) Reflect.deleteProperty(holder, key)
		else Reflect.set(holder, key, at % 2 === 0 ? by : structuredClone(Reflect.get(other, name)))
		return JSON.stringify(document)
	})

function placesIn(value: unknown): readonly (readonly [holder: object, key: string])[] {
	if (typeof value !== 'object' || value === null) return []
	return Object.entries(value).flatMap(([key, inner]) => [[value, key] as const, ...placesIn(inner)])
}

test.each([
	['a text', fc.string(), 200],
	['a JSON value', fc.json(), 200],
	['a changed playbook of the library', changed, 300],
] as const)('%s never crashes the check', async (_name, made, numRuns) => {
	await fc.assert(fc.asyncProperty(made as fc.Arbitrary<string>, isJudged), {numRuns, seed: 15})
})
