/** `npm run bench`: measures the built program; see `build/bench/`. */
import {findChromium, getChromium} from './lib/chromium.mjs'
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runInPlace} from './lib/run.mjs'

main(async () => {
	const node = await ensureInstalled()
	await ensureBuilt(node)
	const browser = findChromium(node) ?? getChromium(node) ?? ''
	const env = {...process.env, CORDON_CHROMIUM: browser}
	return runInPlace(node, [at('build', 'bench', 'main.ts'), ...process.argv.slice(2)], {env})
})
