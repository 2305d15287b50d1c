import type {Plugin} from 'vite'

/** Ends of paths, what stands there, and what it becomes. */
const changes = [
	[
		'/react-aria/dist/private/i18n/useDefaultLocale.mjs',
		/Intl\.DateTimeFormat\.supportedLocalesOf\(\[\s*locale\s*\]\)/,
		'new Intl.Locale(locale)'
	],
	['/router-core/dist/esm/scroll-restoration.js', /return sessionStorage/, 'return undefined']
] as const

/**
 * What the page would run at its start and never use. `supportedLocalesOf` lists all locales to learn whether the browser's own
 * name of one is well-formed (15 ms); the router waits for the session's storage, to restore scroll positions that it is not asked
 * to (5 ms); a contract builds the schemas of all its procedures (20 ms), of which the page takes only
 * types. A replacement that finds nothing and a contract in the page fail the build.
 */
export function leanPage(): Plugin {
	return {
		name: 'lean-page',
		enforce: 'pre',
		transform(code, id) {
			const path = id.replaceAll('\\', '/')
			const change = changes.find(([file]) => path.endsWith(file))
			if (change === undefined) return null
			const [file, from, to] = change
			if (code.search(from) < 0) this.error(`nothing to replace in ${file}`)
			return {code: code.replace(from, to), map: null}
		},
		generateBundle(_options, bundle) {
			const ids = Object.values(bundle).flatMap(part => (part.type === 'chunk' ? part.moduleIds : []))
			const found = ids.filter(id => /\/shared\/contract\/(?!errors\.ts)/.test(id.replaceAll('\\', '/')))
			if (found.length > 0) this.error(`The page takes only types from the contract, and loads ${found.join(', ')}.`)
		}
	}
}
