/** Retired words and their replacements. A text is JSX text, or a string that holds a blank: names in the code have none. */
const retired = [
	[/\bhand-(?:over|off)s?\b/i, 'shift handover'],
	[/\bpeeks?\b/i, 'preview'],
	// The command keeps its name.
	[/\b(?<!^)undo list\b/i, 'undo history'],
	[/\btak(?:e|en|es|ing) (?:it|them|the \w+)? ?back\b/i, 'undo'],
	[/\bread (?:again|anew)\b/i, 'refresh'],
	[/\brequest budget\b/i, 'API limit'],
	[/\bdone elsewhere\b/i, 'changes outside Cordon'],
	[/\bnobody knows\b/i, 'outcome unknown, or unknown'],
	[/\bagreed to\b/i, 'approved plan'],
	[/\bnot tried\b/i, 'not sent, or skipped'],
	[/\bsealed\b/i, 'encrypted'],
	[/\blocal cop(?:y|ies)\b/i, 'local data'],
	[/\bleft out\b/i, 'skipped'],
	[/\bby itself\b/i, 'automatically, or separately'],
	[/\b(?:it is|they are) being\b/i, 'a participle with its object: Saving note…'],
	[/\b(?:came|became) of\b/i, 'outcome, or result'],
	[/\bheartbeats?\b/i, 'policy sync'],
	[/\bmachines?\b(?<!virtual machines?)/i, 'computer'],
	[/\bsomebody\b/i, 'someone'],
	[/\bwhoever\b/i, 'anyone who, or the name of the actor'],
	[/\bstopped on request\b/i, 'cancelled'],
	[/(?<!there )\bis no (?!longer|more)\w+/i, 'is not'],
	[/\bcould not be asked\b/i, 'could not load, or could not query']
]

/** Why a text is refused, or `undefined`. Comments in SQL are no texts. */
export function refuseText(text) {
	if (/\b(?:CREATE|ALTER) TABLE\b/.test(text)) return undefined
	const found = retired.find(([word]) => word.test(text))
	return found === undefined ? undefined : `Retired wording "${found[0].exec(text)[0]}": say ${found[1]}.`
}

export function holdsTexts(path) {
	return /^(?:renderer|shared|electron)\//.test(path) && !/^electron\/sandbox\/|\/testing\/|\/corpus\/|\.test\.|former-schema/.test(path)
}

/** JSX attributes that people read, whatever they hold. */
const spoken = new Set([
	'alt',
	'aria-description',
	'aria-label',
	'aria-roledescription',
	'description',
	'errorMessage',
	'label',
	'placeholder',
	'reason',
	'removeLabel',
	'title',
	'tooltip',
	'verb'
])

/** Properties of our own parts that people read when they hold more than a name of the code. */
const alsoSpoken = new Set([
	'about',
	'aside',
	'asked',
	'empty',
	'error',
	'example',
	'facts',
	'lacks',
	'list',
	'more',
	'none',
	'note',
	'origin',
	'otherwise',
	'stopLabel',
	'summary',
	'text',
	'unknown',
	'value',
	'what',
	'without'
])

/** Whether people would read a text: between tags, or as this attribute. */
export function isProse(text, attribute) {
	if (!/\p{L}{2}/u.test(text)) return false
	if (attribute === undefined || spoken.has(attribute)) return true
	return alsoSpoken.has(attribute) && (text.trim().includes(' ') || /^\p{Lu}/u.test(text))
}
