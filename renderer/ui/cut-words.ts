/** How long the pointer rests on something before it is looked at (ms). */
const restMs = 120

/** A cell lies a few elements above the words that the pointer is on. */
const mostLevels = 5

/**
 * Words that are cut off at an edge can be read anyway: while the pointer rests on them, the whole text is the
 * element's title. What has a title of its own, or holds one, keeps it. Returns how to stop.
 */
export function revealCutWords(root: Document): () => void {
	let given: HTMLElement | null = null
	let timer: ReturnType<typeof setTimeout> | undefined
	const look = (event: Event) => {
		clearTimeout(timer)
		const {target} = event
		if (given !== null && target instanceof Node && given.contains(target)) return
		given?.removeAttribute('title')
		given = null
		timer = setTimeout(() => {
			given = cutAt(target)
			if (given !== null) given.title = wordsOf(given)
		}, restMs)
	}
	root.addEventListener('pointerover', look, {passive: true})
	return () => {
		clearTimeout(timer)
		root.removeEventListener('pointerover', look)
	}
}

/** The nearest element at or above that is cut; `null` when none is, or when a title tells it already. */
function cutAt(target: EventTarget | null): HTMLElement | null {
	let element = target instanceof HTMLElement ? target : null
	for (let level = 0; element !== null && level < mostLevels; level += 1) {
		if (element.title !== '') return null
		if (isCut(element)) return element.querySelector('[title]') === null ? element : null
		element = element.parentElement
	}
	return null
}

function isCut(element: HTMLElement): boolean {
	if (element.scrollWidth <= element.clientWidth || element.clientWidth === 0) return false
	const {overflowX, textOverflow} = getComputedStyle(element)
	return textOverflow === 'ellipsis' && (overflowX === 'hidden' || overflowX === 'clip')
}

function wordsOf(element: HTMLElement): string {
	return element.innerText.replaceAll(/\s*\n\s*/g, ' · ').trim()
}
