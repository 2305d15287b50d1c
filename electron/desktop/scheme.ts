import { protocol } from 'electron';

import { loadPageFiles } from '#core/base/page-files.ts';
import { systemRandom } from '#core/base/system.ts';

import { scheme } from './decisions.ts';
import { answerPage } from './page-answer.ts';

/** Must run before the application is ready. */
export function registerScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
	]);
}

const restMs = 5000;

/** How far the page has come, for whoever keeps the thread that answers it. */
export interface PageProgress {
	/** The document was answered: until its scripts are asked for, a process starts. */
	readonly document: Promise<void>;
	/** A script was answered: from now on the page is busy by itself. */
	readonly script: Promise<void>;
}

/** Answers `cordon://app/…` from the built page. */
export function servePage(folder: string): PageProgress {
	const files = loadPageFiles(folder);
	// The first screen is a part of them, and the window waits for it.
	setTimeout(files.readAll, restMs).unref();
	const [document, script] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	protocol.handle(scheme, (request) => {
		const answer = answerPage(request, files, systemRandom);
		// The body goes out in later turns of the loop.
		setImmediate(() => setImmediate(request.url.endsWith('.js') ? script.resolve : document.resolve));
		return answer;
	});
	return { document: document.promise, script: script.promise };
}
