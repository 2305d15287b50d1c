import type {SubCall} from './session.ts'

export async function runForward(call: SubCall) {
	switch (call.sub.spec.name) {
		case 'forward export':
			return (await import('./forward-export.ts')).exportForward(call)
		case 'forward hash-password':
			return (await import('./forward-hash.ts')).printHash(call)
		default:
			return call.sub.options.has('check')
				? (await import('./forward-file.ts')).checkFile(call)
				: (await import('./forward-run.ts')).serveAlone(call)
	}
}
