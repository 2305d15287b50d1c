import type {Plugin} from 'vite'

/** A constant at the top of a file, with the lines that go on with it. */
const constant = /^((?:export )?const \w+(?:: [^=\n]+)? = )(.*\n(?:[\t)\]}].*\n)*)/gm

/**
 * A thread starts in half the time without zod (20 ms), of whose schemas it mostly needs none, but plain values beside them. The
 * bundler takes the making of a schema for an effect and keeps it, unless the constants of the model are marked. Where another
 * thread than `reader` loads zod, the build fails.
 */
export function leanThread(reader: string): Plugin {
	return {
		name: 'lean-thread',
		enforce: 'pre',
		transform(code, id) {
			if (!id.replaceAll('\\', '/').includes('/shared/model/')) return null
			return {code: code.replaceAll(constant, '$1/* @__PURE__ */ (() => ($2))()\n'), map: null}
		},
		generateBundle(_options, bundle) {
			const parts = Object.values(bundle).filter(part => part.type === 'chunk' && part.moduleIds.some(id => id.includes('/zod/')))
			const found = parts.filter(({name = ''}) => name !== reader).map(({fileName}) => fileName)
			if (found.length > 0) this.error(`Threads load zod, and need none of its schemas: ${found.join(', ')}.`)
		}
	}
}
