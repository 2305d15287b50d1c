/** Patterns of operating system names, by the product of their connector. */
const systems: readonly (readonly [product: string, pattern: RegExp])[] = [
	['windows', /windows/i],
	['ios', /\b(?:ios|ipados)\b/i],
	['mac', /\b(?:os x|osx|mac ?os|macos)\b/i],
	['android', /android/i],
	['linux', /linux|ubuntu|debian|centos|red ?hat|rhel|fedora|suse|rocky|alma|amazon/i]
]

/** The product whose policies a computer with this operating system has; empty if unknown. */
export function productOfSystem(os: string) {
	return systems.find(([, pattern]) => pattern.test(os))?.[0] ?? ''
}

/** Phones and network devices have no lists of hashes (API reference, "Policies"). */
export const productsWithoutLists: ReadonlySet<string> = new Set(['ios', 'android', 'network'])
