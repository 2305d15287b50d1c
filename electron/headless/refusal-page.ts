import { createHash } from 'node:crypto';

import type { Refusal } from './gate.ts';

const style =
  ':root{color-scheme:light dark}body{font:15px/1.6 system-ui,sans-serif;max-width:38rem;margin:18vh auto 0;padding:0 1.5rem}h1{font-size:1.25rem}';

/** Allows the page's own style by its hash, and nothing else. */
export const refusalPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const howToEnter =
  'Use the entry link that Cordon printed when it started. It works once and for ten minutes. ' +
  'To get a new one, stop Cordon and start it again: a browser that already entered stays in.';

const sentences: Readonly<Record<Refusal, readonly [title: string, text: string]>> = {
  session: ['This browser has not entered', howToEnter],
  ticket: ['This entry link was used already, or it is too old', howToEnter],
  host: ['Wrong address', 'Cordon answers only on this machine, under 127.0.0.1 or localhost with its own port.'],
  origin: ['Refused', 'Another page asked for this. Cordon answers only to its own page.'],
  site: ['Refused', 'Another page led here. Open the address yourself: type it, or use the entry link.'],
  method: ['Refused', 'This kind of request has no place here.'],
  path: ['There is nothing here', 'The address does not belong to Cordon.'],
};

/** A page without scripts that says in plain words why a request was refused and what to do. */
export function refusalPage(reason: Refusal): string {
  const [title, text] = sentences[reason];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cordon: ${title}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`
  );
}

export function refusalStatus(reason: Refusal): number {
  if (reason === 'path') return 404;
  if (reason === 'method') return 405;
  return reason === 'host' ? 421 : 403;
}
