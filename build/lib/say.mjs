/** Set-up prints to stderr: stdout belongs to the program that is started. */
export function say(text) {
	process.stderr.write(`${text}\n`)
}

function seconds(sinceMs) {
	return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

/** Runs a step and prints its name and time. */
export async function step(name, work) {
	const began = performance.now()
	say(`— ${name}`)
	const result = await work()
	say(`  ${name}: ${seconds(began)}`)
	return result
}
