/** `npm run bench -- ui`: how the page feels with 100,000 computers and a million stored events, in a real browser. */
import {row, type Figure} from '../measure.ts'
import {computerFiltering, eventFiltering} from './filters.ts'
import {memory} from './memory.ts'
import {scrolling} from './moving.ts'
import {palette} from './palette.ts'
import {withStage, type Stage} from './stage.ts'
import {trajectory} from './trajectory.ts'

const parts: readonly ((stage: Stage) => Promise<readonly Figure[]>)[] = [
	({storeAnswers}) => Promise.resolve(storeAnswers),
	computerFiltering,
	eventFiltering,
	palette,
	stage => scrolling(stage, '/computers', 'Computers'),
	stage => scrolling(stage, '/events', 'Events'),
	stage => scrolling(stage, '/log', 'Incident log'),
	trajectory,
	memory,
]

/** Prints each figure at once: all of them take minutes. */
export function benchUi(): Promise<readonly Figure[]> {
	return withStage(async stage => {
		const figures: Figure[] = []
		for (const part of parts) {
			const measured = await part(stage)
			for (const figure of measured) process.stderr.write(`${row(figure)}\n`)
			figures.push(...measured)
		}
		return figures
	})
}
