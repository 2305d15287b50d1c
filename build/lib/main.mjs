import {say} from './say.mjs'

/** Runs a script's work, whose result is the exit code. Prints an error's message without a stack. */
export function main(work) {
	work().then(
		code => {
			process.exitCode = code
		},
		error => {
			say(process.env.CORDON_VERBOSE === undefined ? error.message : error.stack)
			process.exitCode = 1
		}
	)
}
