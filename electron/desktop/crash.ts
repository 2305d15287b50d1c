/** A page that crashes or hangs: it is reloaded, or the operator is asked. The work itself runs elsewhere and continues. */
import type {BrowserWindow} from 'electron'

import type {ProgramLog} from '#base/log.ts'

export type PageAnswer = 'wait' | 'reload' | 'quit'

export interface PageQuestion {
	message: string
	detail: string
	/** The first one is the default. */
	answers: readonly PageAnswer[]
}

interface PageDependencies {
	log: Pick<ProgramLog, 'error'>
	/** Milliseconds since some moment. */
	now: () => number
	/** The signal takes the question away again. */
	ask: (question: PageQuestion, signal: AbortSignal) => Promise<PageAnswer>
	isLeaving: () => boolean
	quit: () => void
}

const mostReloads = 3
const withinMs = 600_000
const goesOn = 'Cordon itself keeps running, with its jobs, forwarding and automatic releases.'

const ended: PageQuestion = {
	message: 'The page of Cordon keeps ending.',
	detail: `The page ended ${mostReloads + 1} times within ${withinMs / 60_000} minutes. ${goesOn} Reload the page, or quit and start Cordon again.`,
	answers: ['reload', 'quit']
}
const hung: PageQuestion = {
	message: 'The window does not respond.',
	detail: `${goesOn} Wait, or reload the page. Text that was typed and not sent is lost by reloading.`,
	answers: ['wait', 'reload', 'quit']
}

/** Looks after the page of the window, for as long as the window is there. */
export function keepPage(window: BrowserWindow, {log, now, ask, isLeaving, quit}: PageDependencies) {
	const contents = window.webContents
	let ends: readonly number[] = []
	let asking: AbortController | undefined

	const takeBack = () => {
		asking?.abort()
		asking = undefined
	}
	const decide = async (question: PageQuestion, reload: () => void) => {
		if (asking !== undefined) return
		const own = new AbortController()
		asking = own
		const answer = await ask(question, own.signal).catch((): PageAnswer => 'wait')
		if (own.signal.aborted || window.isDestroyed()) return
		asking = undefined
		if (answer === 'quit') quit()
		if (answer === 'reload') reload()
	}

	contents.on('render-process-gone', (_event, {reason, exitCode}) => {
		log.error({reason, exitCode}, 'The page ended.')
		if (reason === 'clean-exit' || isLeaving()) return
		takeBack()
		ends = [...ends.filter(at => now() - at < withinMs), now()]
		if (ends.length <= mostReloads) return contents.reload()
		void decide(ended, () => {
			ends = []
			contents.reload()
		})
	})
	window.on('unresponsive', () => {
		// A page that hangs answers no request to close either.
		if (isLeaving()) return window.destroy()
		log.error('The page does not respond.')
		// What ends it loads it again, as above.
		void decide(hung, () => contents.forcefullyCrashRenderer())
	})
	window.on('responsive', takeBack)
}
