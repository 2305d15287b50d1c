/** Runs inside the page and notes when the answer to a key, a click or a letter was on the screen. */
import type {Page} from '@playwright/test'

interface Probe {
	/** The browser's time of the last input. */
	input: number
	/** The end of the last frame after a change of the watched part. */
	drawn: number
	/** Notes the end of this frame. */
	noteFrame(): void
}

declare global {
	interface Window {
		bench: Probe
	}
}

/** Call it before the page loads. */
export async function installProbe(page: Page) {
	await page.addInitScript(() => {
		window.bench = {input: 0, drawn: 0, noteFrame}
		const note = (event: Event) => {
			window.bench.input = event.timeStamp
		}
		for (const kind of ['keydown', 'input', 'click']) addEventListener(kind, note, {capture: true})
		function noteFrame() {
			requestAnimationFrame(() => {
				const {port1, port2} = new MessageChannel()
				port1.addEventListener('message', () => void (window.bench.drawn = performance.now()), {once: true})
				port1.start()
				port2.postMessage(null)
			})
		}
	})
}

/**
 * From the input to the end of the frame in which the mark changed, in milliseconds: the screens mark the table with the
 * question that it answers (`data-shown`).
 */
export async function untilShown(page: Page, act: () => Promise<void>) {
	await page.evaluate(() => {
		const mark = () => document.querySelector('[data-shown]')?.getAttribute('data-shown') ?? null
		const before = mark()
		window.bench.drawn = 0
		const observer = new MutationObserver(() => {
			const now = mark()
			if (now === null || now === before) return
			observer.disconnect()
			window.bench.noteFrame()
		})
		observer.observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-shown']})
	})
	return drawnAfter(page, act, 0)
}

/** From the input to the end of the frame in which the part appeared, in milliseconds. */
export async function untilThere(page: Page, selector: string, act: () => Promise<void>) {
	await page.evaluate(part => {
		window.bench.drawn = 0
		const observer = new MutationObserver(() => {
			if (document.querySelector(part) === null) return
			observer.disconnect()
			window.bench.noteFrame()
		})
		observer.observe(document.body, {subtree: true, childList: true})
	}, selector)
	return drawnAfter(page, act, 0)
}

/**
 * From the input to the last frame that changed or showed the part; 400 ms of rest end the wait. Changes elsewhere, such as
 * an age behind a dialog, do not count.
 */
export async function untilAtRest(page: Page, selector: string, act: () => Promise<void>) {
	await page.evaluate(part => {
		window.bench.drawn = 0
		const observer = new MutationObserver(records => {
			if (!records.some(concerns)) return
			window.bench.noteFrame()
		})
		observer.observe(document.body, {subtree: true, childList: true, characterData: true})
		setTimeout(() => observer.disconnect(), 5000)
		function concerns({target, addedNodes}: MutationRecord) {
			const element = target instanceof Element ? target : target.parentElement
			return element?.closest(part) != null || [...addedNodes].some(isPart)
		}
		function isPart(node: Node) {
			return node instanceof Element && (node.matches(part) || node.querySelector(part) !== null)
		}
	}, selector)
	return drawnAfter(page, act, 400)
}

async function drawnAfter(page: Page, act: () => Promise<void>, restMs: number) {
	await act()
	const isDrawn = (rest: number) => window.bench.drawn > 0 && performance.now() - window.bench.drawn > rest
	await page.waitForFunction(isDrawn, restMs, {timeout: 20_000})
	return page.evaluate(() => window.bench.drawn - window.bench.input)
}
