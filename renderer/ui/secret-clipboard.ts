/**
 * A secret on the clipboard is taken off again after half a minute, if it is still ours. Whether it is, only the browser
 * knows: where it does not let a page look, nothing is taken off, and the operator is told so.
 */
export type ClipboardOutcome = 'failed' | 'will_clear' | 'cannot_clear'

interface Board {
	readText(): Promise<string>
	writeText(text: string): Promise<void>
}

export interface ClipboardHost {
	readonly board: Board
	/** Whether the page may look at the clipboard, asked when the operator copies. */
	mayLook(): Promise<boolean>
	/** Runs once after so many milliseconds. */
	later(ms: number, act: () => void): void
	/** Runs once when the window has the focus again: without it nobody may look. */
	onFocus(act: () => void): void
	hasFocus(): boolean
}

export const clearAfterMs = 30_000

export async function copySecret(host: ClipboardHost, text: string): Promise<ClipboardOutcome> {
	try {
		await host.board.writeText(text)
	} catch {
		return 'failed'
	}
	if (!(await host.mayLook())) return 'cannot_clear'
	host.later(clearAfterMs, () => void clearIfOurs(host, text))
	return 'will_clear'
}

async function clearIfOurs(host: ClipboardHost, text: string): Promise<void> {
	if (!host.hasFocus()) return host.onFocus(() => void clearIfOurs(host, text))
	try {
		if ((await host.board.readText()) === text) await host.board.writeText('')
	} catch {
		// The permission was taken back: what was said when it was copied no longer holds, and nothing can be done about it.
	}
}

/** The clipboard of this page. Asking to look now, while the operator copies, is when the browser's question makes sense. */
export function pageClipboard(): ClipboardHost {
	return {
		board: navigator.clipboard,
		mayLook: async () => {
			try {
				await navigator.clipboard.readText()
				return true
			} catch {
				return false
			}
		},
		later: (ms, act) => void setTimeout(act, ms),
		onFocus: act => window.addEventListener('focus', act, {once: true}),
		hasFocus: () => document.hasFocus(),
	}
}
