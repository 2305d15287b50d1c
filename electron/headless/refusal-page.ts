import { createHash } from 'node:crypto';

import type { Refusal } from './gate.ts';

const style =
	':root{color-scheme:light dark}body{font:15px/1.6 system-ui,sans-serif;max-width:38rem;margin:18vh auto 0;padding:0 1.5rem}h1{font-size:1.25rem}';

/** Allows the page's own style by its hash, and nothing else. */
export const refusalPolicy = [
	"default-src 'none'",
	`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
	"base-uri 'none'",
	// To the page's own address, with the code.
	"form-action 'self'",
	"frame-ancestors 'none'",
].join('; ');

const howToEnter =
	'Use the entry link or the code that Cordon printed in its terminal. Both work once and for ten minutes. ' +
	'To get new ones, stop Cordon and start it again: a browser that already entered stays in.';

const sentences: Readonly<Record<Refusal, readonly [title: string, text: string]>> = {
	session: ['This browser has not entered', howToEnter],
	ticket: ['This entry link was used already, or it is too old', howToEnter],
	code: ['That is not the code, or it is too old', howToEnter],
	user: [
		'This link belongs to another user of this computer',
		'If you see the terminal in which Cordon runs, open /enter here and type the code from there.',
	],
	host: ['Wrong address', 'Cordon answers only on this computer, under 127.0.0.1 or localhost with its own port.'],
	origin: ['Refused', 'Another page asked for this. Cordon answers only to its own page.'],
	site: ['Refused', 'Another page led here. Open the address yourself: type it, or use the entry link.'],
	method: ['Refused', 'This kind of request has no place here.'],
	path: ['There is nothing here', 'The address does not belong to Cordon.'],
};

/** A page without scripts that says in plain words why a request was refused and what to do. */
export function refusalPage(reason: Refusal): string {
	const [title, text] = sentences[reason];
	return pageOf(title, `<p>${text}</p>`);
}

/** For a browser that was opened without the link. */
export function askPage(): string {
	const form =
		'<form action="/enter" method="get"><label>Code <input name="code" required autofocus autocomplete="off" ' +
		'spellcheck="false" maxlength="20" size="12"></label> <button>Enter</button></form>';
	return pageOf('Enter Cordon', `<p>Type the code that Cordon printed in its terminal.</p>${form}`);
}

/** Leads on from a page of ours, so that the new cookie goes along. */
export function enteredPage(): string {
	return pageOf('Cordon', '<p><a href="/">Open the console</a></p>', '<meta http-equiv="refresh" content="0;url=/">');
}

function pageOf(title: string, content: string, head = ''): string {
	return (
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title === 'Cordon' ? title : `Cordon: ${title}`}</title>${head}` +
		`<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
		`<body><main><h1>${title}</h1>${content}</main></body></html>\n`
	);
}

export function refusalStatus(reason: Refusal): number {
	if (reason === 'path') return 404;
	if (reason === 'method') return 405;
	return reason === 'host' ? 421 : 403;
}
