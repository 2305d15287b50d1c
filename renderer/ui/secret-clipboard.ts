/**
 * Clears a secret from the clipboard after half a minute, if it is still ours. Only the browser knows: if it does not let the
 * page read the clipboard, nothing is cleared, and the operator is told.
 */
export type ClipboardOutcome = 'failed' | 'will_clear' | 'cannot_clear'

interface Board {
	readText(): Promise<string>
	writeText(text: string): Promise<void>
}

export interface ClipboardHost {
	board: Board
	/** Whether the page may read the clipboard, asked when the operator copies. */
	mayLook(): Promise<boolean>
	/** Runs once after this many milliseconds. */
	later(ms: number, act: () => void): void
	/** Runs once when the window is focused again, which is required for reading. */
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

async function clearIfOurs(host: ClipboardHost, text: string) {
	if (!host.hasFocus()) return host.onFocus(() => void clearIfOurs(host, text))
	try {
		if ((await host.board.readText()) === text) await host.board.writeText('')
	} catch {
		// The permission was revoked: the earlier message no longer holds, and nothing can be done.
	}
}

/** The clipboard of this page. The browser's permission prompt makes sense while the operator copies. */
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
		hasFocus: () => document.hasFocus()
	}
}
