/**
 * The operator's hand: every click and key of a task goes through it and is counted. The page counts what reaches it as
 * well, and the two have to agree: nothing is put into the page past the hand.
 */
import {expect, type BrowserContext, type Locator, type Page} from '@playwright/test'

interface Figures {
	/** Presses of a mouse button. */
	clicks: number
	/** Every key but those of a reason; a chord such as Ctrl+K is one. */
	keys: number
	/** Keystrokes of reasons, which are as long as the operator has something to say. */
	reason: number
	/** From the first input to the end of what was waited for. */
	seconds: number
}

/** One part of a task, such as *isolate* of *isolate and release*. */
export interface Leg extends Figures {
	name: string
}

/** What the pages themselves counted. */
export interface Seen {
	presses: number
	keys: number
	/** Texts that changed without a key or a click. */
	strays: number
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta'])

export type Hand = ReturnType<typeof openHand>

export function openHand(page: Page, seen: () => Seen) {
	const nothing = {clicks: 0, keys: 0, reason: 0}
	const ended: Leg[] = []
	const outside = {...nothing}
	let now = {...nothing}
	let beganAt = 0
	const begin = () => {
		if (beganAt === 0) beganAt = performance.now()
	}
	const press = async (key: string) => {
		begin()
		now.keys += 1
		await page.keyboard.press(key)
	}
	const write = async (text: string, kind: 'keys' | 'reason') => {
		begin()
		now[kind] += text.length
		await page.keyboard.type(text)
	}
	const clickWith = async (modifier: 'Shift', target: Locator) => {
		begin()
		now.clicks += 1
		await target.click({modifiers: [modifier]})
	}
	const endLeg = (name: string) => {
		ended.push({name, ...now, seconds: (performance.now() - beganAt) / 1000})
		now = {...nothing}
		beganAt = 0
	}
	return {
		/** Clicks with a modifier key down. */
		clickWith,
		click: async (target: Locator) => {
			begin()
			now.clicks += 1
			await target.click()
		},
		/** Turns the wheel over the target until it shows that; turning is not counted. */
		wheel: async (over: Locator, until: Locator) => {
			await over.hover()
			await expect(async () => {
				await page.mouse.wheel(0, 200)
				await expect(until).toBeInViewport({ratio: 1, timeout: 300})
			}).toPass({timeout: 15_000})
		},
		/** Presses keys, one after the other. */
		press: async (...keys: string[]) => {
			for (const key of keys) await press(key)
		},
		/** Presses Tab until the target has the focus, as somebody without a mouse does. */
		tabTo: async (target: Locator) => await tabTo(page, target, press),
		/** Types a name, a filter or a value where the focus is. */
		type: async (text: string) => await write(text, 'keys'),
		/** Types a reason where the focus is. */
		say: async (reason: string) => await write(reason, 'reason'),
		/** Puts a text into the clipboard, as another program would, and presses Ctrl+V. */
		paste: async (text: string) => {
			await fillClipboard(page, text)
			await press('Control+v')
		},
		/** Counts what was done in a terminal, which no page sees. */
		outside: (counted: Partial<typeof nothing>) => {
			begin()
			for (const kind of ['clicks', 'keys', 'reason'] as const) {
				now[kind] += counted[kind] ?? 0
				outside[kind] += counted[kind] ?? 0
			}
		},
		/** Ends a part of the task and begins the next. */
		leg: endLeg,
		/** What was counted, part by part; checks that the page saw exactly that. */
		legs: async () => {
			const sum = total(ended)
			await expect
				.poll(seen, 'the page saw every input that was counted, and no other')
				.toEqual({presses: sum.clicks - outside.clicks, keys: sum.keys + sum.reason - outside.keys - outside.reason, strays: 0})
			return ended
		}
	}
}

function total(legs: Leg[]): Figures {
	const sum = (of: (leg: Leg) => number) => legs.reduce((so, leg) => so + of(leg), 0)
	return {clicks: sum(({clicks}) => clicks), keys: sum(({keys}) => keys), reason: sum(({reason}) => reason), seconds: sum(({seconds}) => seconds)}
}

/** Counts the trusted events of every page of this browser, before anything in a page can stop them. */
export async function countInput(context: BrowserContext): Promise<() => Seen> {
	const seen = {presses: 0, keys: 0, strays: 0}
	await context.exposeFunction('taskSaw', (kind: keyof Seen) => void (seen[kind] += 1))
	const watch = (ignored: string[]) => {
		let isOwed = false
		const tell = (kind: string) => void (window as unknown as Told).taskSaw(kind)
		const on = (name: string, act: (event: Event) => void) =>
			window.addEventListener(name, event => void (event.isTrusted && act(event)), {capture: true})
		on('pointerdown', () => {
			isOwed = true
			tell('presses')
		})
		on('keydown', event => {
			if (!(event instanceof KeyboardEvent) || event.repeat || ignored.includes(event.key)) return
			isOwed = true
			tell('keys')
		})
		on('input', () => {
			if (!isOwed) tell('strays')
			isOwed = false
		})
	}
	await context.addInitScript(watch, [...modifiers])
	return () => ({...seen})
}

/** In the page; see `exposeFunction`. */
interface Told {
	taskSaw: (kind: string) => unknown
}

async function tabTo(page: Page, target: Locator, press: (key: string) => Promise<void>) {
	await target.first().waitFor()
	const isThere = async () => target.evaluate(one => one === document.activeElement)
	for (let presses = 0; !(await isThere()); presses += 1) {
		if (presses > 150) throw new Error(`Tab does not lead to ${String(target)}.`)
		await press('Tab')
	}
}

/** From another tab, so that nothing of it is input of this one. */
async function fillClipboard(page: Page, text: string) {
	const other = await page.context().newPage()
	await other.goto('about:blank')
	await other.evaluate(copied => {
		const field = document.body.appendChild(document.createElement('textarea'))
		field.value = copied
		field.select()
		document.execCommand('copy')
	}, text)
	await other.close()
	await page.bringToFront()
}
