// Created at first use: loading the locale's data costs the window 10 ms at start.
let names: Intl.Collator | undefined

/** As people order names: `ward 9` before `ward 10`. */
export function compareNames(a: string, b: string) {
	names ??= new Intl.Collator('en', {numeric: true, sensitivity: 'base'})
	return names.compare(a, b)
}
