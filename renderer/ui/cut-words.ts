/** How long the pointer must rest on an element (ms). */
const restMs = 120

/** A cell is a few levels above the text under the pointer. */
const mostLevels = 5

/**
 * Makes truncated text readable: while the pointer rests on it, the whole text is the element's title. An element with its own
 * title, or with one inside, keeps it. Returns a stop function.
 */
export function revealCutWords(root: Document) {
	let given: HTMLElement | null = null
	let timer: ReturnType<typeof setTimeout> | undefined
	const look = ({target}: Event) => {
		clearTimeout(timer)
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

/** The nearest truncated element at or above; `null` without one, or with an existing title. */
function cutAt(target: EventTarget | null) {
	let element = target instanceof HTMLElement ? target : null
	for (let level = 0; element !== null && level < mostLevels; level += 1) {
		if (element.title !== '') return null
		if (isCut(element)) return element.querySelector('[title]') === null ? element : null
		element = element.parentElement
	}
	return null
}

function isCut(element: HTMLElement) {
	if (element.scrollWidth <= element.clientWidth || element.clientWidth === 0) return false
	const {overflowX, textOverflow} = getComputedStyle(element)
	return textOverflow === 'ellipsis' && (overflowX === 'hidden' || overflowX === 'clip')
}

function wordsOf(element: HTMLElement) {
	return element.innerText.replaceAll(/\s*\n\s*/g, ' · ').trim()
}
