/** Checks that the person who asks for a secret may have it: by the profile's passphrase, or the system's own prompt. */
import {CordonError} from '#contract/errors.ts'

import type {Clock, Ports} from '#base/ports.ts'

export type Presence = ReturnType<typeof createPresence>

/** After this many wrong ones in a row each further try has to wait. */
const freeTries = 5
const waitMs = 30_000

export function createPresence({secrets, askPerson, clock}: Pick<Ports, 'secrets' | 'askPerson' | 'clock'>) {
	const tries = slowTries(clock)
	const asks = async () => {
		if (secrets.checkPassphrase !== undefined) return 'passphrase'
		return (await askPerson?.available()) === true ? 'prompt' : 'nothing'
	}
	return {
		asks,
		/** Rejects with `confirmation_needed` when the passphrase is missing or wrong. The system's prompt shows `why`. */
		check: async ({passphrase, why}: {passphrase: string | undefined; why: string}) => {
			const kind = await asks()
			if (kind === 'prompt' && (await askPerson?.ask(why)) !== true)
				throw needed('The operating system did not confirm that it is you: nothing was shown.')
			if (kind !== 'passphrase') return
			if (passphrase === undefined || passphrase === '')
				throw needed('This needs the passphrase of the profile: the screen of the computer asks for it.')
			const tell = tries.begin()
			const isRight = await rightness(secrets, passphrase, tell)
			if (!isRight) throw needed('This is not the passphrase of the profile: nothing was shown.')
		}
	}
}

type Tell = (what: 'right' | 'wrong' | 'unknown') => void

async function rightness(secrets: Ports['secrets'], passphrase: string, tell: Tell) {
	try {
		const isRight = (await secrets.checkPassphrase?.(passphrase)) === true
		tell(isRight ? 'right' : 'wrong')
		return isRight
	} catch (error) {
		tell('unknown')
		throw error
	}
}

/** A try counts as wrong until it is checked: otherwise parallel tries would be free. */
function slowTries(clock: Clock): {begin(): Tell} {
	let wrong = 0
	let until = 0
	const wait = () => {
		until = wrong >= freeTries ? clock.monotonic() + waitMs : 0
	}
	return {
		begin: () => {
			const leftMs = until - clock.monotonic()
			if (leftMs > 0) throw new CordonError('busy', `Too many wrong passphrases. Try again in ${Math.ceil(leftMs / 1000)} s.`)
			wrong += 1
			wait()
			return what => {
				if (what === 'right') wrong = 0
				if (what === 'unknown') wrong = Math.max(0, wrong - 1)
				wait()
			}
		}
	}
}

function needed(message: string) {
	return new CordonError('confirmation_needed', message, {field: 'passphrase'})
}
