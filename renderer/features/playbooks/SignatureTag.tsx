import type {PlaybookSignature} from '#model/playbook.ts'
import {signatureWords} from '#text/states.ts'

import {Tag, type Tone} from '#ui/Tag.tsx'

const tones: Readonly<Record<PlaybookSignature['state'], Tone>> = {
	library: 'plain',
	unsigned: 'plain',
	trusted: 'ok',
	untrusted: 'warn',
	broken: 'bad'
}

/** Whether a playbook of this profile is signed, and by whom. */
export function SignatureTag({signature}: {signature: PlaybookSignature}) {
	if (signature.state === 'library') return null
	return <Tag tone={tones[signature.state]}>{signatureWords(signature)}</Tag>
}
