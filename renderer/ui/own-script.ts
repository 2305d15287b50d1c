/**
 * The only Trusted Types policy of the page (W3C, "Trusted Types", section 3): a worker may start only from a script built with
 * the page. Its name is in `electron/core/base/page-policy.ts`.
 */
interface TrustedTypes {
	createPolicy(name: string, rules: {createScriptURL: (url: string) => string}): {createScriptURL(url: string): string}
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** Throws for an address that is not one of the page's own built scripts. */
export function ownScript(url: string) {
	const {trustedTypes} = globalThis as {trustedTypes?: TrustedTypes} // not in lib.dom yet
	if (trustedTypes === undefined) return checked(url)
	policy ??= trustedTypes.createPolicy('cordon-worker', {createScriptURL: checked})
	return policy.createScriptURL(url)
}

function checked(url: string) {
	const {origin, pathname} = new URL(url, location.href)
	const isBuilt = pathname.startsWith('/assets/') || import.meta.env.DEV
	if (origin !== location.origin || !isBuilt) throw new TypeError(`${pathname} is not a script of this page.`)
	return url
}
