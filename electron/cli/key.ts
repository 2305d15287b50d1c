import type {Keys} from '#core/approvals/keys.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import {showUnseen} from '#text/foreign.ts'

import {type CliHost, inputOf} from './host.ts'
import {signsOf} from './terminal-table.ts'

/** Bytes of a file of which the first line alone counts. */
const longest = 1_048_576

type SecretHost = Pick<CliHost, 'files' | 'stdin' | 'signal'>

/** Returns the first line of a file; `-` is standard input. `option` names it in errors. */
export async function readSecretFile(host: SecretHost, file: string, option: string) {
	return (await readSecretLine(host, file, option)).trim()
}

/** With the blanks around it. */
export async function readSecretLine(host: SecretHost, file: string, option: string) {
	const text = await readSecretText(host, file, option, longest)
	const [line = ''] = text.split(/\r?\n/)
	if (line.trim() === '') throw usageError(`${file === '-' ? 'Standard input' : file} has an empty first line.`, option)
	return line
}

/** Returns a whole file that only its owner can read, or standard input, of at most this many bytes. */
export async function readSecretText(host: SecretHost, file: string, option: string, most: number) {
	return file === '-' ? await readInput(host, option, most) : await host.files.readOwn(file, option, most)
}

/** No file answers in the place of a person. */
export function refuseWithoutTerminal({stdin}: CliHost) {
	if (!stdin.isTTY) throw usageError('Approvals, signatures and new keys need a person at a terminal or in the window.')
}

/** An unknown key is named before its passphrase is typed. */
export async function askPassphrase(host: CliHost, keys: Pick<Keys, 'own'>, name: string) {
	keys.own(name)
	return await askSecret(host, `Passphrase of ${name} (it is not shown): `, 'as')
}

/** Prompts on the terminal without echo. */
export async function askSecret(host: CliHost, question: string, option: string) {
	return (await askSecretLine(host, question, option)).trim()
}

/** With the blanks around it. */
export async function askSecretLine({stdin, stderr, signal}: CliHost, question: string, option: string) {
	if (!stdin.isTTY) throw usageError(`There is no terminal to ask on: give --${option} FILE, or --${option} - to read standard input.`, option)
	stderr.write(showUnseen(question))
	try {
		return await readHidden(stdin, signal)
	} finally {
		stderr.write('\n')
	}
}

async function readInput({stdin, signal}: SecretHost, option: string, most: number) {
	let text = ''
	// A character may be cut between two chunks.
	for await (const chunk of inputOf({stdin: stdin.setEncoding('utf8'), signal})) {
		text += String(chunk)
		if (text.length > most) throw usageError(`Standard input is longer than ${most} bytes.`, option)
	}
	return text
}

/** Of an arrow, or around what is pasted: nothing that was typed. */
const keySequence = /\u001b(?:\[[\d;]*[~A-Za-z]|O[A-Z])?/g

function readHidden(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
	return new Promise((resolve, reject) => {
		let typed = ''
		const end = () => {
			stdin.off('data', take)
			signal.removeEventListener('abort', stop)
			stdin.setRawMode(false)
			stdin.pause()
		}
		const stop = () => {
			end()
			reject(new CordonError('cancelled'))
		}
		const take = (chunk: Buffer | string) => {
			for (const char of String(chunk).replaceAll(keySequence, '')) {
				if (char === '\u0003') return stop()
				if (char === '\r' || char === '\n' || char === '\u0004') {
					end()
					return resolve(typed)
				}
				// Backspace takes the last sign, and Ctrl+U all.
				if (char === '\u007f' || char === '\b') typed = signsOf(typed).slice(0, -1).join('')
				else typed = char === '\u0015' ? '' : typed + char
			}
		}
		stdin.setRawMode(true)
		stdin.setEncoding('utf8').resume()
		stdin.on('data', take)
		signal.addEventListener('abort', stop)
	})
}
