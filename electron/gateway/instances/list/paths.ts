/** Which addresses the list service has, and what each means for the form of the list. */
import type { ListService } from '#shared/model/instance.ts';

import type { Variant } from './variant.ts';

export type Checksum = 'md5' | 'sha256';

export type Place =
	| { readonly kind: 'list'; readonly change: Partial<Variant>; readonly checksum: Checksum | null }
	| { readonly kind: 'log' }
	| { readonly kind: 'status' };

/** `null`: there is nothing at this path, or nothing of this type of list. */
export function placeOf(path: string, type: ListService['type']): Place | null {
	if (path === '/log') return { kind: 'log' };
	if (path === '/status') return { kind: 'status' };
	const change = formOf(path, type);
	if (change !== null) return { kind: 'list', change, checksum: null };
	const [, listed = '', checksum] = /^(.*)\.(md5|sha256)$/s.exec(path) ?? [];
	if (checksum !== 'md5' && checksum !== 'sha256') return null;
	const sidecar = formOf(listed, type);
	return sidecar === null ? null : { kind: 'list', change: sidecar, checksum };
}

const forms: Readonly<Record<string, Partial<Variant>>> = {
	'/': {},
	'/plain': { format: 'text' },
	'/json': { format: 'json' },
	'/csv': { format: 'csv' },
};

function formOf(path: string, type: ListService['type']): Partial<Variant> | null {
	if (Object.hasOwn(forms, path)) return forms[path] ?? null;
	const [, product = '', kind = ''] = /^\/(panos|cisco|fortigate)\/([a-z0-9]+)$/.exec(path) ?? [];
	const named = kind === 'dns' ? 'domain' : kind;
	return product === '' || named !== type ? null : formFor(product, type);
}

/** What each product can read; see route description, 5.1. */
function formFor(product: string, type: ListService['type']): Partial<Variant> {
	// None of them takes a scheme or an invalid line.
	const text: Partial<Variant> = { format: 'text', dropInvalid: true };
	if (type === 'url' && product !== 'fortigate') return { ...text, stripProtocol: true };
	// Cisco knows addresses and networks, no ranges.
	return type === 'ip' && product === 'cisco' ? { ...text, collapse: 'cidrs' } : text;
}
