/** Notes of a soak: figures with their time, and every fault. */
import type {Sample} from './verdict.ts'

export type Notes = ReturnType<typeof openNotes>

export async function pause(ms: number) {
	await new Promise(resolve => setTimeout(resolve, ms))
}

export function openNotes(seconds: number) {
	const from = performance.now()
	const passed = () => (performance.now() - from) / 1000 / seconds
	const samples = new Map<string, Sample[]>()
	const faults: string[] = []
	const isOver = () => passed() >= 1
	const fault = (what: string) => void faults.push(what)
	return {
		isOver,
		add(name: string, value: number) {
			const own = samples.get(name) ?? []
			own.push({at: passed(), value})
			samples.set(name, own)
		},
		fault,
		of: (name: string): readonly Sample[] => samples.get(name) ?? [],
		faults,
		/** Repeats `turn` to the end; an error is noted as a fault, and the next turn follows. */
		async each(turn: (number: number) => Promise<void>) {
			for (let number = 0; !isOver(); number += 1) {
				try {
					await turn(number)
				} catch (error) {
					fault(error instanceof Error ? error.message : String(error))
					await pause(1000)
				}
			}
		}
	}
}
