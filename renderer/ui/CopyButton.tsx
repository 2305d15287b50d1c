import {Check, Copy} from 'lucide-react'
import {useEffect, useState} from 'react'

import {useAnnounce} from './Announcer.tsx'
import {IconButton} from './Button.tsx'
import {t} from './text.ts'

export interface CopyButtonProps {
	text: string
	/** Name of the copied value, such as `GUID`. */
	what: string
}

export function CopyButton({text, what}: CopyButtonProps) {
	const [copied, setCopied] = useState(false)
	const announce = useAnnounce()
	useEffect(() => {
		if (!copied) return
		const timer = setTimeout(() => setCopied(false), 1500)
		return () => clearTimeout(timer)
	}, [copied])
	const copy = async () => {
		const done = await writeClipboard(text)
		setCopied(done)
		announce(copiedWords(what, done))
	}
	return (
		<IconButton label={copied ? t.copied : t.copyOf(what)} small onPress={() => void copy()}>
			{copied ? <Check size={13} /> : <Copy size={13} />}
		</IconButton>
	)
}

/** Puts a text on the clipboard, and announces it by what it is. */
export function useCopy(): (what: string, text: string) => void {
	const announce = useAnnounce()
	return (what, text) => void writeClipboard(text).then(done => announce(copiedWords(what, done)))
}

function copiedWords(what: string, done: boolean): string {
	return done ? `${what.charAt(0).toUpperCase()}${what.slice(1)} copied` : `The ${what} could not be copied`
}

/** Puts text on the clipboard; `false` when the browser refused. */
export async function writeClipboard(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text)
		return true
	} catch {
		return false
	}
}
