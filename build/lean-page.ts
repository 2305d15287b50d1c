import type {Plugin} from 'vite'

const locale = 'react-aria/dist/private/i18n/useDefaultLocale.mjs'
const listing = /Intl\.DateTimeFormat\.supportedLocalesOf\(\[\s*locale\s*\]\)/

/**
 * What the page would run at its start and never use. `supportedLocalesOf` lists all locales to learn whether the browser's own
 * name of one is well-formed (15 ms); a contract builds the schemas of all its procedures (20 ms), of which the page takes only
 * types. A replacement that finds nothing and a contract in the page fail the build.
 */
export function leanPage(): Plugin {
	return {
		name: 'lean-page',
		enforce: 'pre',
		transform(code, id) {
			if (!id.replaceAll('\\', '/').endsWith(locale)) return null
			if (!listing.test(code)) this.error(`nothing to replace in ${locale}`)
			return {code: code.replace(listing, 'new Intl.Locale(locale)'), map: null}
		},
		generateBundle(_options, bundle) {
			const ids = Object.values(bundle).flatMap(part => (part.type === 'chunk' ? part.moduleIds : []))
			const found = ids.filter(id => /\/shared\/contract\/(?!errors\.ts)/.test(id.replaceAll('\\', '/')))
			if (found.length > 0) this.error(`The page takes only types from the contract, and loads ${found.join(', ')}.`)
		},
	}
}
