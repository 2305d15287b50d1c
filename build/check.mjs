/** `npm run check`: everything that can be said without a browser. */
import {checks, checksOfChanges, conclude, runSteps} from './lib/checks.mjs'
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'

main(async () => {
	const node = await ensureInstalled()
	await ensureBuilt(node)
	const [how, ref] = process.argv.slice(2)
	if (how !== undefined && how !== '--changed') throw new Error(`There is no ${how}: npm run check, or npm run check -- --changed [REVISION].`)
	return conclude(await runSteps(how === undefined ? checks : checksOfChanges(ref), node))
})
