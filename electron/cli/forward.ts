import type {Sub} from './argv.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'

export async function runForward(sub: Sub, host: CliHost, output: Output): Promise<number> {
	switch (sub.spec.name) {
		case 'forward export':
			return (await import('./forward-export.ts')).exportForward(sub, host, output)
		case 'forward hash-password':
			return (await import('./forward-hash.ts')).printHash(host, output)
		default:
			return sub.options.has('check')
				? (await import('./forward-file.ts')).checkFile(sub, host, output)
				: (await import('./forward-run.ts')).serveAlone(sub, host, output)
	}
}
