/** A task: a console and a service of its own, a hand that counts, and figures that `npm run bench -- tasks` reads. */
import {expect, test as base} from '../fixtures.ts'
import {countInput, openHand, type Hand, type Leg, type Seen} from './hand.ts'

export {expect} from '../fixtures.ts'

/** What a part of a task may take at most. */
export interface Limit {
	clicks?: number
	keys?: number
}

/** A part of a task as the report has it. */
interface Figure extends Leg {
	limit?: Limit
}

/** The report of Playwright has the figures of a task under this name, as JSON. */
const figuresName = 'figures'

interface Fixtures {
	seen: () => Seen
	/** Limits by part. */
	limits: Readonly<Record<string, Limit>>
	hand: Hand
}

export const task = base.extend<Fixtures>({
	viewport: {width: 1280, height: 800},
	limits: [{}, {option: true}],
	// Before the page, whose script it has to precede.
	seen: async ({context}, use) => await use(await countInput(context)),
	page: async ({seen: _seen, page}, use) => await use(page),
	hand: async ({page, seen, limits}, use, info) => {
		const hand = openHand(page, seen)
		await use(hand)
		if (info.status !== 'passed') return
		const legs = await hand.legs()
		const unknown = Object.keys(limits).filter(name => !legs.some(leg => leg.name === name))
		expect(unknown, 'limits of parts that the task does not have').toEqual([])
		const figures: Figure[] = legs.map(leg => ({...leg, ...withLimit(limits[leg.name])}))
		info.annotations.push({type: figuresName, description: JSON.stringify(figures)})
	}
})

function withLimit(limit: Limit | undefined): {limit?: Limit} {
	return limit === undefined ? {} : {limit}
}
